package dev.muster.kube;

import dev.muster.kinds.KindName;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;

/** Kinds that the client has no classes for, as it wants them named. */
final class Generic {
    private Generic() {}

    static ResourceDefinitionContext context(KindName kind) {
        return new ResourceDefinitionContext.Builder()
                .withGroup(kind.group())
                .withVersion(kind.version())
                .withKind(kind.kind())
                .withPlural(kind.plural())
                .withNamespaced(true)
                .build();
    }

    /** An object with nothing but its name. */
    static GenericKubernetesResource named(KindName kind, String namespace, String name) {
        GenericKubernetesResource object = new GenericKubernetesResource();
        object.setApiVersion(kind.apiVersion());
        object.setKind(kind.kind());
        object.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
        return object;
    }
}
