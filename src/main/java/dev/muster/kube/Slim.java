package dev.muster.kube;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is dropped of objects as they arrive, because nobody here reads it and a large cluster has much of it. */
final class Slim {
    private Slim() {}

    /** Drops who wrote which field. */
    static void object(HasMetadata object) {
        object.getMetadata().setManagedFields(List.of());
    }

    /** Drops images and volumes, which are most of a real node. */
    static void node(Node node) {
        object(node);
        if (node.getStatus() != null) {
            node.getStatus().setImages(List.of());
            node.getStatus().setVolumesAttached(List.of());
            node.getStatus().setVolumesInUse(List.of());
        }
    }

    /** Leaves what decides whose pod it is, where it is, how far it is, and what it takes. */
    static void pod(Pod pod) {
        object(pod);
        var spec = pod.getSpec();
        if (spec != null) {
            spec.setVolumes(List.of());
            spec.getContainers().forEach(Slim::container);
            spec.getInitContainers().forEach(Slim::container);
        }
        if (pod.getStatus() != null) {
            pod.getStatus().setContainerStatuses(inTrouble(pod.getStatus().getContainerStatuses()));
            pod.getStatus().setInitContainerStatuses(inTrouble(pod.getStatus().getInitContainerStatuses()));
        }
    }

    /** Of a container only what it waits for, or how it has ended, is of interest; most run. */
    private static List<ContainerStatus> inTrouble(@Nullable List<ContainerStatus> containers) {
        return containers == null || containers.stream().noneMatch(Slim::isInTrouble)
                ? List.of()
                : containers.stream()
                        .filter(Slim::isInTrouble)
                        .map(full -> {
                            ContainerStatus status = new ContainerStatus();
                            status.setState(full.getState());
                            status.setLastState(full.getLastState());
                            return status;
                        })
                        .toList();
    }

    private static boolean isInTrouble(ContainerStatus container) {
        ContainerState state = container.getState();
        return state != null && (state.getWaiting() != null || state.getTerminated() != null);
    }

    /** Nothing but identity and version. */
    static Pod stub(Pod pod) {
        ObjectMeta full = pod.getMetadata();
        ObjectMeta meta = new ObjectMeta();
        meta.setUid(full.getUid());
        meta.setName(full.getName());
        meta.setNamespace(full.getNamespace());
        meta.setResourceVersion(full.getResourceVersion());
        Pod stub = new Pod();
        stub.setMetadata(meta);
        return stub;
    }

    private static void container(Container container) {
        container.setEnv(List.of());
        container.setEnvFrom(List.of());
        container.setVolumeMounts(List.of());
        container.setCommand(List.of());
        container.setArgs(List.of());
        container.setLivenessProbe(null);
        container.setReadinessProbe(null);
        container.setStartupProbe(null);
    }
}
