package dev.muster.api;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;

/** Nodes whose GPUs are interchangeable for policy: how to know them, what they are, how to place pods on them. Cluster-scoped. */
@Group("muster.dev")
@Version("v1alpha1")
@Plural("gpunodeclasses")
@ShortNames("gnc")
@Categories("muster")
@SchemaCustomizer(
        value = SchemaPatch.class,
        input = "required: [spec]") // without it an object with no spec is accepted
@ValidationRule(
        value = "size(self.metadata.name) <= 63 && !self.metadata.name.contains('.')",
        message = "a node class's name has at most 63 characters and no dot, because quotas and jobs name it")
@AdditionalPrinterColumn(name = "Ready", jsonPath = ".status.conditions[?(@.type=='Ready')].status")
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
public class GpuNodeClass extends CustomResource<GpuNodeClassSpec, GpuNodeClassStatus> {
    private static final long serialVersionUID = 1L;
}
