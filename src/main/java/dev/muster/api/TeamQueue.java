package dev.muster.api;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;

/** A node of the quota tree: what one team is due, what it lends and how its gangs are ordered. Cluster-scoped. */
@Group("muster.dev")
@Version("v1alpha1")
@ShortNames("tq")
@Categories("muster")
@SchemaCustomizer(
        value = SchemaPatch.class,
        input = "required: [spec]") // without it an object with no spec is accepted
@ValidationRule(
        value = "size(self.metadata.name) <= 63 && !self.metadata.name.contains('.')",
        message = "a queue's name has at most 63 characters and no dot, because it is also a label value")
@ValidationRule(
        value = "!has(self.spec.parent) || self.spec.parent != self.metadata.name",
        message = "a queue cannot be its own parent. Maybe leave parent out: then it is a root")
@AdditionalPrinterColumn(name = "Ready", jsonPath = ".status.conditions[?(@.type=='Ready')].status")
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
public class TeamQueue extends CustomResource<TeamQueueSpec, TeamQueueStatus> {
    private static final long serialVersionUID = 1L;
}
