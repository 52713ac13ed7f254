package dev.muster.jobs;

import dev.muster.core.model.Amounts;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequest;
import io.fabric8.kubernetes.api.model.resource.v1.ExactDeviceRequest;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Devices that a pod asks for by claims, or by the name of a DeviceClass, as units of the resource of the node classes that
 * name that class: so that they are charged as GPUs are. What is asked otherwise, of classes that no node class names, or
 * without a number, is a problem: nothing is free.
 *
 * <p>Only what the pod asks is counted, never the claims that come of it. So a device that the scheduler hands out by a claim
 * of its own making, for an extended resource, is counted once.
 */
final class DeviceClaims {
    /** Before the name of a DeviceClass, this is an extended resource. */
    private static final String BY_CLASS = "deviceclass.resource.kubernetes.io/";

    private static final String EXACTLY = "ask for exactly one class with a count";

    private final String namespace;
    private final Surroundings surroundings;
    private final Problems problems;
    private final TreeMap<String, Long> asked = new TreeMap<>();
    private @Nullable Set<String> nodeClasses;

    private DeviceClaims(String namespace, Surroundings surroundings, Problems problems) {
        this.namespace = namespace;
        this.surroundings = surroundings;
        this.problems = problems;
    }

    /**
     * What a pod asks.
     *
     * @param requests its devices included
     * @param nodeClasses that hand its devices out; null when it asks for none
     */
    record Asked(Amounts requests, @Nullable Set<String> nodeClasses) {}

    /** Adds the devices to what else the pod asks. */
    static Asked add(
            Amounts requests, PodSpec pod, String at, String namespace, Surroundings surroundings, Problems problems) {
        DeviceClaims claims = new DeviceClaims(namespace, surroundings, problems);
        List<PodResourceClaim> named = Present.in(pod.getResourceClaims());
        for (int i = 0; i < named.size(); i++) {
            claims.claim(named.get(i), at + ".resourceClaims[" + i + "]");
        }
        TreeMap<String, Long> plain = new TreeMap<>();
        requests.byResource().forEach((resource, amount) -> {
            if (resource.startsWith(BY_CLASS)) {
                claims.devices(resource.substring(BY_CLASS.length()), amount, at + ".containers[" + resource + "]");
            } else {
                plain.put(resource, amount);
            }
        });
        claims.asked.forEach(
                (resource, amount) -> plain.merge(resource, amount, (a, b) -> Math.min(Amounts.LARGEST, a + b)));
        return new Asked(new Amounts(plain), claims.nodeClasses);
    }

    private void claim(PodResourceClaim claim, String at) {
        String name = claim.getResourceClaimTemplateName();
        if (name == null) {
            problems.add(
                    at + ".resourceClaimName",
                    claim.getResourceClaimName() == null ? "" : claim.getResourceClaimName(),
                    "pods may share a claim that exists, so nobody can tell whom to charge for it",
                    "name a resourceClaimTemplateName");
            return;
        }
        Optional<ResourceClaimTemplate> template = surroundings.claimTemplate(namespace, name);
        if (template.isEmpty()) {
            problems.add(
                    at + ".resourceClaimTemplateName",
                    name,
                    "there is no ResourceClaimTemplate of this name in resource.k8s.io/v1, so what it asks is not known",
                    "create it first");
            return;
        }
        template.map(found -> found.getSpec())
                .map(spec -> spec.getSpec())
                .map(spec -> spec.getDevices())
                .map(devices -> Present.in(devices.getRequests()))
                .orElse(List.of())
                .forEach(request -> request(request, at + ": request " + request.getName() + " of " + name));
    }

    private void request(DeviceRequest request, String at) {
        ExactDeviceRequest exactly = request.getExactly();
        if (exactly == null) {
            problems.add(at + " leaves a choice, so that its charge is not known. Maybe " + EXACTLY);
        } else if ("All".equals(exactly.getAllocationMode())) {
            problems.add(at + " asks for all devices, however many. Maybe " + EXACTLY);
        } else if (Boolean.TRUE.equals(exactly.getAdminAccess())) {
            problems.add(at + " asks for access beside the users of the devices. Maybe remove adminAccess");
        } else {
            long count = exactly.getCount() == null ? 1 : exactly.getCount();
            devices(exactly.getDeviceClassName() == null ? "" : exactly.getDeviceClassName(), count, at);
        }
    }

    private void devices(String deviceClass, long count, String at) {
        SortedMap<String, String> classes = surroundings.nodeClassesOf(deviceClass);
        Set<String> resources = new TreeSet<>(classes.values());
        if (resources.size() != 1) {
            problems.add(
                    at,
                    deviceClass,
                    resources.isEmpty()
                            ? "no GpuNodeClass names this DeviceClass, so it cannot be charged"
                            : "node classes of different resources name this DeviceClass: "
                                    + String.join(", ", resources),
                    "name it in spec.accelerator.deviceClasses of one");
            return;
        }
        asked.merge(resources.iterator().next(), count, (a, b) -> Math.min(Amounts.LARGEST, a + b));
        Set<String> known = nodeClasses;
        if (known == null) {
            nodeClasses = new TreeSet<>(classes.keySet());
        } else {
            known.retainAll(classes.keySet());
        }
    }

    /** Devices that a stored pod takes, as far as that can be told. */
    static Amounts taken(Amounts requests, PodSpec pod, String namespace, Surroundings surroundings) {
        boolean asks = !Present.in(pod.getResourceClaims()).isEmpty()
                || requests.byResource().keySet().stream().anyMatch(resource -> resource.startsWith(BY_CLASS));
        return asks
                ? add(requests, pod, "spec", namespace, surroundings, new Problems())
                        .requests()
                : requests;
    }
}
