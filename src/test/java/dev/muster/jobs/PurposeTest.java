package dev.muster.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.api.GpuNodeClass;
import dev.muster.api.TeamQueue;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.Queue;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What purposes, reserves and sharing of queues and classes are read as. */
class PurposeTest {
    private static final KubernetesSerialization YAML = new KubernetesSerialization();

    private static Queue queue(String fields) {
        return QueueReader.read(YAML.unmarshal("""
                apiVersion: muster.dev/v1alpha1
                kind: TeamQueue
                metadata: {name: chat}
                spec: {owner: lead, parent: org, %s}
                """.formatted(fields), TeamQueue.class));
    }

    private static NodeClass nodeClass(String fields) {
        return ClassReader.read(YAML.unmarshal("""
                apiVersion: muster.dev/v1alpha1
                kind: GpuNodeClass
                metadata: {name: a10}
                spec: {owner: lead, selector: {gpu: a10}, %s}
                """.formatted(fields), GpuNodeClass.class));
    }

    @Test
    void aServingQueueBorrowsOnlyAsFarAsItIsToldTo() {
        String quota = "quotas: [{nodeClass: h100, resource: nvidia.com/gpu, nominal: 8, reserve: 2%s}]";

        assertThat(queue("purpose: Serving, " + quota.formatted("")).quotas())
                .singleElement()
                .satisfies(read -> {
                    assertThat(read.borrowing()).hasValue(0);
                    assertThat(read.reserve()).isEqualTo(2);
                });
        assertThat(queue("purpose: Serving, " + quota.formatted(", borrowingLimit: 4"))
                        .quotas()
                        .get(0)
                        .borrowing())
                .hasValue(4);
        assertThat(queue(quota.formatted("").replace(", reserve: 2", ""))
                        .quotas()
                        .get(0)
                        .borrowing())
                .isEmpty();
    }

    @Test
    void aReserveBelongsToAServingQueueAndIsPartOfItsNominal() {
        assertThatThrownBy(() -> queue("quotas: [{nodeClass: h100, resource: nvidia.com/gpu, nominal: 8, reserve: 9}]"))
                .hasMessage(
                        "spec.quotas[0]: reserve 9 is above nominal 8; spec.quotas[0].reserve: only a queue with purpose"
                                + " Serving keeps room for scale-up. Maybe set spec.purpose: Serving, or remove reserve");
    }

    @Test
    void interactiveWorkRunsForAWorkingDayUnlessTheQueueSaysOtherwise() {
        assertThat(queue("purpose: Interactive").limits().maxRuntime()).hasValue(8 * 3_600_000L);
        assertThat(queue("purpose: Interactive, limits: {maxRuntime: 2h}")
                        .limits()
                        .maxRuntime())
                .hasValue(2 * 3_600_000L);
        assertThat(queue("purpose: Serving").limits().maxRuntime()).isEmpty();
    }

    @Test
    void aRunTimeOfNothingIsRefused() {
        assertThatThrownBy(() -> queue("limits: {maxRuntime: 0h0s}"))
                .hasMessage(
                        "spec.limits.maxRuntime is '0h0s': that is no time at all. Maybe use stop: Hold to admit nothing");
    }

    @Test
    void aClassIsReadWithItsSharingItsPurposesAndTheConditionOfItsNodes() {
        NodeClass read = nodeClass("sharing: Mps, readyCondition: MpsDaemonReady, purposes: [Serving]");

        assertThat(read.sharing()).isEqualTo(NodeClass.Sharing.MPS);
        assertThat(read.purposes()).isEqualTo(Set.of(Queue.Purpose.SERVING));
        assertThat(read.readyCondition()).isEqualTo("MpsDaemonReady");
        assertThatThrownBy(() -> nodeClass("sharing: Mps"))
                .hasMessageContaining("spec.readyCondition is missing")
                .hasMessageContaining("Maybe name the node condition");
    }

    @Test
    void ofANodeEveryConditionThatIsTrueIsRead() {
        Node node = YAML.unmarshal("""
                apiVersion: v1
                kind: Node
                metadata: {name: n1}
                status:
                  conditions:
                  - {type: Ready, status: "True"}
                  - {type: MpsDaemonReady, status: "True"}
                  - {type: DiskPressure, status: "False"}
                """, Node.class);

        assertThat(NodeReader.read(node).ready()).isTrue();
        assertThat(NodeReader.read(node).conditions()).containsExactly("MpsDaemonReady");
    }
}
