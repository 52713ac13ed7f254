package dev.muster.kube;

import dev.muster.api.GpuNodeClass;
import dev.muster.api.Marks;
import dev.muster.api.TeamQueue;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.NodeFacts;
import dev.muster.core.model.Queue;
import dev.muster.engine.Event;
import dev.muster.jobs.BatchJobs;
import dev.muster.jobs.DescribedJobs;
import dev.muster.jobs.JobReader;
import dev.muster.jobs.PlainPods;
import dev.muster.jobs.Surroundings;
import dev.muster.kinds.GangKind;
import dev.muster.kinds.KindName;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.node.v1.RuntimeClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Everything of the cluster that Muster sees: managed jobs, nodes, pods, its own resources, and what jobs are read with.
 * Jobs that nobody opted in are not even sent here; of pods, identity alone is kept.
 */
final class Sight implements AutoCloseable {
    private final Map<String, Queue> queues = new ConcurrentHashMap<>();
    private final Map<String, NodeClass> classes = new ConcurrentHashMap<>();
    private final Around around = new Around(classes);
    private final Map<String, NodeFacts> nodes = new ConcurrentHashMap<>();
    private final JobSight jobs = new JobSight();
    private final Watch<Pod> pods;
    private final Watch<TeamQueue> queueObjects;
    private final Watch<GpuNodeClass> classObjects;
    /** What jobs are read with comes first, so that few jobs are read twice; then nodes, jobs of all kinds, and pods. */
    private final List<Watch<?>> watches = new CopyOnWriteArrayList<>();

    private final AtomicBoolean claims = new AtomicBoolean();
    private final Map<KindName, Watch<?>> kinds = new ConcurrentHashMap<>();
    private final KubernetesClient client;
    private final Sinks sinks;
    private final Consumer<String> jobNews;
    private final Owners owners;

    /**
     * A sight that sees nothing yet.
     *
     * @param jobNews hears the UID of each job of which news went out
     * @param clock milliseconds since the epoch
     * @param followed kinds that may stand between a job and its pods
     */
    Sight(
            KubernetesClient client,
            Calls calls,
            Set<KindName> followed,
            Consumer<Event> events,
            Consumer<String> jobNews,
            LongSupplier clock) {
        this.client = client;
        this.sinks = new Sinks(events, new CronWaits(clock));
        this.owners = new Owners(calls, jobs, followed, new OwnThread("muster-owners"));
        Members members = new Members(events, jobs, owners, around);
        this.jobNews = uid -> {
            members.news();
            jobNews.accept(uid);
        };
        JobReader batch = new BatchJobs();
        Watch<Job> batchJobs = new Watch<>(
                "jobs",
                client,
                Job.class,
                Marks.MANAGED,
                Slim::object,
                UnaryOperator.identity(),
                sinks.jobs(batch, around, this.jobNews));
        jobs.add(batch, Job.class, batchJobs);
        PodGroups groups = new PodGroups(around, events, this.jobNews);
        JobReader plainPods = new PlainPods();
        Watch<Pod> podGangs = new Watch<>(
                "pods that are gangs",
                client,
                Pod.class,
                Marks.POD_GANG,
                Slim::pod,
                UnaryOperator.identity(),
                groups.before(sinks.jobs(plainPods, around, this.jobNews)));
        jobs.addGroups(groups::withUid);
        jobs.add(plainPods, Pod.class, podGangs);
        pods = new Watch<>("pods", client, Pod.class, null, Slim::pod, Slim::stub, members);
        queueObjects = whole("teamqueues", client, TeamQueue.class, sinks.queues(queues));
        classObjects = whole(
                "gpunodeclasses", client, GpuNodeClass.class, sinks.classes(classes, () -> jobs.again(job -> true)));
        watches.addAll(List.of(
                whole("priorityclasses", client, PriorityClass.class, priorities()),
                whole("limitranges", client, LimitRange.class, limits()),
                whole("runtimeclasses", client, RuntimeClass.class, runtimes()),
                queueObjects,
                classObjects,
                new Watch<>(
                        "nodes", client, Node.class, null, Slim::node, UnaryOperator.identity(), sinks.nodes(nodes)),
                batchJobs,
                podGangs,
                pods));
    }

    /** Whether the jobs of all these kinds are seen. */
    boolean sees(List<GangKind> on) {
        return on.stream().allMatch(kind -> kinds.containsKey(kind.name()));
    }

    /** Sees the jobs of these kinds from now on, and of no others but batch Jobs. */
    void see(List<GangKind> on) {
        Set<KindName> names = on.stream().map(GangKind::name).collect(Collectors.toSet());
        kinds.keySet().stream().filter(kind -> !names.contains(kind)).toList().forEach(this::remove);
        on.stream().filter(kind -> !kinds.containsKey(kind.name())).forEach(this::add);
    }

    /** Sees templates of claims from now on, when they are served. */
    void seeClaims(boolean served) {
        if (served && claims.compareAndSet(false, true)) {
            Watch<ResourceClaimTemplate> watch = whole(
                    "resourceclaimtemplates",
                    client,
                    ResourceClaimTemplate.class,
                    rereading(around::put, around::remove, template -> {
                        String namespace = template.getMetadata().getNamespace();
                        return job -> namespace.equals(job.getMetadata().getNamespace());
                    }));
            watches.add(0, watch);
            watch.start();
        }
    }

    private void add(GangKind kind) {
        JobReader reader = new DescribedJobs(kind);
        Watch<GenericKubernetesResource> watch = new Watch<>(
                kind.name().resource(),
                () -> client.genericKubernetesResources(Generic.context(kind.name()))
                        .inAnyNamespace(),
                Marks.MANAGED,
                Slim::object,
                UnaryOperator.identity(),
                sinks.jobs(reader, around, jobNews));
        jobs.add(reader, GenericKubernetesResource.class, watch);
        kinds.put(kind.name(), watch);
        watches.add(watches.size() - 1, watch); // before the pods
        watch.start();
    }

    /** Sees the jobs of this kind no more: they are gone, with their kind. */
    private void remove(KindName kind) {
        Watch<?> watch = kinds.remove(kind);
        if (watch != null) {
            watches.remove(watch);
            watch.close();
            watch.watched().lostAll();
            jobs.remove(kind);
        }
    }

    void start() {
        watches.forEach(Watch::start);
    }

    /** Names of the watches that have no first list yet, or are interrupted now. */
    List<String> down() {
        return watches.stream().filter(watch -> !watch.isUp()).map(Watch::name).toList();
    }

    /** Lists every kind anew, consistently; when it returns, all of it has gone out as events. Throws what the client throws. */
    void relist() {
        watches.forEach(Watch::relist);
    }

    JobSight jobs() {
        return jobs;
    }

    Watch<Pod> pods() {
        return pods;
    }

    Watch<TeamQueue> queueObjects() {
        return queueObjects;
    }

    Watch<GpuNodeClass> classObjects() {
        return classObjects;
    }

    /** Queues by name, live. */
    Map<String, Queue> queues() {
        return queues;
    }

    /** Node classes by name, live. */
    Map<String, NodeClass> classes() {
        return classes;
    }

    /** Nodes by name, live. */
    Map<String, NodeFacts> nodes() {
        return nodes;
    }

    Surroundings surroundings() {
        return around;
    }

    @Override
    public void close() {
        owners.close();
        watches.forEach(Watch::close);
    }

    private static <T extends HasMetadata> Watch<T> whole(
            String name, KubernetesClient client, Class<T> type, Watched.Sink<T> sink) {
        return new Watch<>(name, client, type, null, Slim::object, UnaryOperator.identity(), sink);
    }

    private Watched.Sink<PriorityClass> priorities() {
        return rereading(around::put, around::remove, priority -> {
            String name = priority.getMetadata().getName();
            return object -> {
                if (!(object instanceof Job job)) {
                    return true; // where a template names a class is said by its kind; such news is rare
                }
                return priorityOf(job).isEmpty()
                        || name.equals(priorityOf(job)); // it may be, or have been, the default
            };
        });
    }

    private Watched.Sink<LimitRange> limits() {
        return rereading(around::put, around::remove, range -> {
            String namespace = range.getMetadata().getNamespace();
            return job -> namespace.equals(job.getMetadata().getNamespace());
        });
    }

    private Watched.Sink<RuntimeClass> runtimes() {
        return rereading(around::put, around::remove, runtime -> {
            String name = runtime.getMetadata().getName();
            return object -> !(object instanceof Job job)
                    || name.equals(job.getSpec().getTemplate().getSpec().getRuntimeClassName());
        });
    }

    /** News of something that jobs are read with: it is noted, then the affected jobs are read again. */
    private <T> Watched.Sink<T> rereading(
            Consumer<T> put, Consumer<T> remove, Function<T, Predicate<HasMetadata>> affected) {
        return new Watched.Sink<>() {
            @Override
            public void seen(T object) {
                put.accept(object);
                jobs.again(affected.apply(object));
            }

            @Override
            public void gone(T last) {
                remove.accept(last);
                jobs.again(affected.apply(last));
            }
        };
    }

    private static String priorityOf(Job job) {
        Map<String, String> labels = job.getMetadata().getLabels();
        String own = labels == null ? null : labels.get(Marks.PRIORITY_CLASS);
        String template = job.getSpec().getTemplate().getSpec().getPriorityClassName();
        return own != null ? own : template == null ? "" : template;
    }
}
