package dev.muster.kube;

import dev.muster.api.Marks;
import dev.muster.engine.Event.Refusal;
import dev.muster.kinds.KindName;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which gang stands at the end of a pod's owners: the outermost managed one. Owners that are no watched jobs (the child Job
 * of a JobSet, the RayCluster of a RayJob) are read once by name, must have the UID that was named, and are remembered up
 * to a bound. Only owners of known kinds are followed, and never more than five.
 */
final class Owners implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Owners.class);
    private static final int REMEMBERED = 20_000;
    private static final int LONGEST_CHAIN = 5;
    private static final long LOOK_AGAIN_MILLIS = 1_000;

    private final Calls calls;
    private final JobSight jobs;
    private final Set<KindName> followed;
    private final Worker worker;
    /** What stands above an owner, by its UID; the oldest are forgotten first. */
    private final Map<String, Link> links = new LinkedHashMap<>(16, 0.75f, false) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Link> eldest) {
            return size() > REMEMBERED;
        }
    };

    /**
     * What is known of one owner.
     *
     * @param isManaged whether it is a gang itself
     * @param above its controller; null when it has none that is followed
     */
    private record Link(boolean isManaged, @Nullable OwnerReference above) {}

    /** Who reads, one task after the other. */
    interface Worker extends AutoCloseable {
        /** Runs the task soon, or after so many milliseconds, unless it is closed before. */
        void run(Runnable task, long afterMillis);

        @Override
        void close();
    }

    /** What is known of a chain. */
    sealed interface Answer {}

    /**
     * The chain is known.
     *
     * @param isGuess whether no managed owner was found, so that its first one stands for the gang, as of an orphan
     */
    record Found(String gangUid, boolean isGuess) implements Answer {}

    /** Some owner has to be read first. */
    record NotYet() implements Answer {}

    /**
     * Chains through these kinds.
     *
     * @param followed kinds whose objects are read when they are not watched jobs
     */
    Owners(Calls calls, JobSight jobs, Set<KindName> followed, Worker worker) {
        this.calls = calls;
        this.jobs = jobs;
        this.followed = followed;
        this.worker = worker;
    }

    /** The gang of a pod with this controller, from memory. */
    synchronized Answer gang(OwnerReference controller) {
        OwnerReference at = controller;
        String outermost = null;
        for (int i = 0; i < LONGEST_CHAIN && at != null; i++) {
            String uid = at.getUid();
            Link link = links.get(uid);
            if (link == null && jobs.withUid(uid).isPresent()) {
                // a job that is watched and managed; whatever stands above it hands marks on and is no gang
                return new Found(uid, false);
            }
            if (link == null && kind(at).isPresent() && mayBeChild(at)) {
                return new NotYet();
            }
            if (link != null && link.isManaged()) {
                outermost = uid;
            }
            at = link == null ? null : link.above();
        }
        return outermost == null ? new Found(controller.getUid(), true) : new Found(outermost, false);
    }

    /** With no kind beside the batch Job, a Job is always the gang itself, seen or not. */
    private boolean mayBeChild(OwnerReference owner) {
        return followed.size() > 1 || !KindName.JOB.isOwner(owner.getApiVersion(), owner.getKind());
    }

    /** Reads the owners that are missing, then runs the task, both as the worker does. */
    void look(String namespace, OwnerReference controller, Runnable then) {
        worker.run(() -> follow(namespace, controller, then), 0);
    }

    private void follow(String namespace, OwnerReference controller, Runnable then) {
        OwnerReference at = controller;
        for (int i = 0; i < LONGEST_CHAIN && at != null; i++) {
            Link link = known(at.getUid());
            Optional<KindName> kind = kind(at);
            if (link == null && kind.isPresent() && jobs.withUid(at.getUid()).isEmpty()) {
                try {
                    link = read(kind.get(), namespace, at);
                } catch (WriteFailed e) {
                    LOG.info(
                            "the owner {} {}/{} could not be read: {}",
                            at.getKind(),
                            namespace,
                            at.getName(),
                            e.getMessage());
                    worker.run(() -> follow(namespace, controller, then), LOOK_AGAIN_MILLIS);
                    return;
                }
            }
            at = link == null ? null : link.above();
        }
        then.run();
    }

    private synchronized @Nullable Link known(String uid) {
        return links.get(uid);
    }

    private Link read(KindName kind, String namespace, OwnerReference owner) throws WriteFailed {
        Optional<ObjectMeta> meta;
        try {
            meta = calls.owner(kind, namespace, owner.getName())
                    .filter(found -> owner.getUid().equals(found.getUid()));
        } catch (WriteFailed e) {
            if (e.refusal() != Refusal.GONE && e.refusal() != Refusal.REFUSED) {
                throw e;
            }
            LOG.warn(
                    "the owner {} {}/{} cannot be read: {}",
                    owner.getKind(),
                    namespace,
                    owner.getName(),
                    e.getMessage());
            meta = Optional.empty();
        }
        Link link = new Link(
                meta.map(Owners::isManaged).orElse(false),
                meta.flatMap(Owners::controller).orElse(null));
        synchronized (this) {
            links.put(owner.getUid(), link);
        }
        return link;
    }

    private Optional<KindName> kind(OwnerReference owner) {
        return followed.stream()
                .filter(kind -> kind.isOwner(owner.getApiVersion(), owner.getKind()))
                .findFirst();
    }

    private static boolean isManaged(ObjectMeta meta) {
        return meta.getLabels() != null && "true".equals(meta.getLabels().get(Marks.MANAGED));
    }

    private static Optional<OwnerReference> controller(ObjectMeta meta) {
        return meta.getOwnerReferences() == null
                ? Optional.empty()
                : meta.getOwnerReferences().stream()
                        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
                        .findFirst();
    }

    @Override
    public void close() {
        worker.close();
    }
}
