package dev.muster.web;

import dev.muster.core.model.Admission;
import dev.muster.core.model.Admission.NodeSlots;
import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.GangState;
import dev.muster.core.model.Reason;
import dev.muster.core.model.Waiting;
import dev.muster.engine.Views;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Views that say what the test gave them; lists of gangs are cut by name, as the engine cuts them. */
final class GivenViews implements Views {
    static final String GPU = "nvidia.com/gpu";
    static final String NETWORK_CARD = "rdma/hca";

    final List<QueueView> queues = new ArrayList<>();
    final List<NodeClassView> classes = new ArrayList<>();
    final List<GangView> gangs = new ArrayList<>();
    /** Whether the engine answers. */
    volatile boolean answers = true;

    GivenViews queue(String name, QuotaView... quotas) {
        queues.add(new QueueView(name, null, "team-" + name, 1, List.of(quotas), 0, 0, 0, ""));
        return this;
    }

    GivenViews nodeClass(String name, NodeView... nodes) {
        classes.add(new NodeClassView(
                name,
                GPU,
                nodes.length,
                (int) List.of(nodes).stream().filter(NodeView::ready).count(),
                List.of(nodes).stream().mapToLong(NodeView::gpus).sum(),
                List.of(nodes).stream()
                        .filter(NodeView::ready)
                        .mapToLong(NodeView::freeGpus)
                        .sum(),
                0,
                List.of(nodes),
                List.of()));
        return this;
    }

    GivenViews waiting(String name, Amounts charge) {
        Waiting why = new Waiting(Reason.QUOTA_EXHAUSTED, "Its queue has no quota left.", "");
        gangs.add(gang(name, GangState.WAITING, 0, charge, why));
        return this;
    }

    GivenViews holding(String name, GangState state, long admittedAt) {
        gangs.add(gang(name, state, admittedAt, Amounts.of(GPU, 1), null));
        return this;
    }

    GivenViews ended(String name, long submittedAt) {
        GangView gang = gang(name, GangState.FINISHED, 0, Amounts.of(GPU, 1), null);
        gangs.add(new GangView(
                gang.uid(),
                gang.namespace(),
                name,
                gang.queue(),
                gang.state(),
                0,
                false,
                submittedAt,
                1,
                gang.charge(),
                0,
                null,
                null,
                null));
        return this;
    }

    private static GangView gang(
            String name, GangState state, long admittedAt, Amounts charge, @Nullable Waiting waiting) {
        Admission admission = admittedAt == 0
                ? null
                : new Admission(
                        1,
                        1,
                        admittedAt,
                        List.of(new PodSetPlace("main", "h100", charge, List.of(new NodeSlots("n1", 1)))));
        int line = state == GangState.WAITING ? 1 : 0;
        return new GangView(
                "uid-" + name, "ns", name, "vision", state, 0, false, 0, 1, charge, line, waiting, admission, null);
    }

    @Override
    public List<QueueView> queues() {
        if (!answers) {
            throw new IllegalStateException("the engine does not answer");
        }
        return List.copyOf(queues);
    }

    @Override
    public Optional<QueueView> queue(String name) {
        return queues.stream().filter(queue -> queue.name().equals(name)).findFirst();
    }

    @Override
    public Optional<GangView> gang(String namespace, String name) {
        return gangs.stream().filter(gang -> gang.name().equals(name)).findFirst();
    }

    @Override
    public List<GangView> gangs(
            @Nullable String queue, @Nullable GangState state, @Nullable Set<String> namespaces, int limit) {
        return gangs.stream()
                .filter(gang -> queue == null || gang.queue().equals(queue))
                .filter(gang -> namespaces == null || namespaces.contains(gang.namespace()))
                .filter(gang -> state == null || gang.state() == state)
                .sorted(Comparator.comparingLong(GivenViews::newness).reversed().thenComparing(GangView::name))
                .limit(limit)
                .toList();
    }

    @Override
    public List<String> namespaces() {
        return gangs.stream().map(GangView::namespace).distinct().sorted().toList();
    }

    private static long newness(GangView gang) {
        return gang.admission() == null ? gang.submittedAt() : gang.admission().admittedAt();
    }

    @Override
    public Set<String> gpuResources() {
        return Set.of(GPU);
    }

    @Override
    public List<NodeClassView> nodeClasses() {
        return List.copyOf(classes);
    }

    @Override
    public Assessment assess(Gang gang) {
        return new Assessment(null, null, 0);
    }

    @Override
    public List<Promise> promises() {
        return List.of();
    }

    @Override
    public ToStore toStore() {
        return new ToStore(Map.of(), Map.of());
    }

    /** One GPU and one network card a GPU. */
    static Amounts withNetworkCards(long gpus) {
        return Amounts.of(Map.of(GPU, gpus, NETWORK_CARD, gpus, Amounts.CPU, gpus * 8000));
    }
}
