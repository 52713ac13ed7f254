package dev.muster.api;

/** The labels, annotations and gates of the wire: group {@code muster.dev}. Labels choose, annotations carry. */
public final class Marks {
    /** Label on a job, at create only: the queue it is submitted to. The only mark a user must write. */
    public static final String QUEUE = "muster.dev/queue";
    /** Label on a job: {@code "true"} when it may borrow and be preempted. */
    public static final String INTERRUPTIBLE = "muster.dev/interruptible";
    /** Label on a job: name of a Kubernetes PriorityClass, for order only. */
    public static final String PRIORITY_CLASS = "muster.dev/priority-class";
    /** Annotation on a job: ordered choice of node classes, separated by commas. */
    public static final String NODE_CLASSES = "muster.dev/node-classes";
    /** Annotation on a job: requirements on the facts of a node class. */
    public static final String REQUIRES = "muster.dev/requires";
    /** Annotation on a job or a pod template: {@code required=<label key>} or {@code preferred=<label key>}. */
    public static final String TOPOLOGY = "muster.dev/topology";
    /** Annotation on a job: bound of its run time over all attempts, such as {@code 12h}. */
    public static final String MAX_RUNTIME = "muster.dev/max-runtime";

    /** Label that Muster writes on jobs and pod templates: {@code "true"} when managed. */
    public static final String MANAGED = "muster.dev/managed";
    /** Label that Muster writes on a pod which names a queue itself: {@code "true"}, it is a gang of one. */
    public static final String POD_GANG = "muster.dev/pod-gang";
    /** Label on a pod that names a queue, at create only: the pods of one name and queue are one gang. */
    public static final String POD_GROUP = "muster.dev/pod-group";
    /** Annotation on each pod of a group, at create only: how many pods it has. */
    public static final String POD_GROUP_SIZE = "muster.dev/pod-group-size";
    /** Label that Muster writes on jobs: where the gang is in its life. */
    public static final String STATE = "muster.dev/state";
    /** Annotation that Muster writes on jobs: the admission, as versioned JSON. */
    public static final String ADMISSION = "muster.dev/admission";
    /** Annotation that Muster writes on jobs with every write: lease UID and transitions of the writer. */
    public static final String FENCE = "muster.dev/fence";
    /** Annotation that Muster writes on jobs: why it waits, and since when. */
    public static final String WAITING = "muster.dev/waiting";
    /** Annotation that Muster writes on jobs: the claim or reservation that it holds. */
    public static final String CLAIM = "muster.dev/claim";
    /** Annotation that Muster writes on jobs: past attempts, with evidence. */
    public static final String HISTORY = "muster.dev/history";
    /** Annotation that Muster writes on jobs, and on pods that are to hear of it: the RFC 3339 time of their stop. */
    public static final String STOP_AT = "muster.dev/stop-at";
    /** Annotation on a job or a pod of it, kept fresh by its trainer: the RFC 3339 time at which it saved its work last. */
    public static final String LAST_CHECKPOINT = "muster.dev/last-checkpoint";
    /** Annotation on a job: {@code "true"} when a stop is to be announced on its pods, too. */
    public static final String NOTIFY_PODS = "muster.dev/notify-pods";
    /** Annotation on a job: after how many failed attempts of its own in a row it is held. */
    public static final String MAX_FAILURES = "muster.dev/max-failures";
    /** Annotation that Muster writes on pods when it places them: which admission of the gang it is, from 1. */
    public static final String ATTEMPT = "muster.dev/attempt";
    /** Annotation that Muster writes on pods when it places them: UID of the job. */
    public static final String GANG_UID = "muster.dev/gang-uid";
    /** Annotation that Muster writes on pods when it places them: name of the podset. */
    public static final String PODSET = "muster.dev/podset";
    /** Annotation that Muster writes on pods when it places them: the queue that is charged. */
    public static final String CHARGED_QUEUE = "muster.dev/charged-queue";
    /** Annotation that Muster writes on pods when it places them: the node class that is charged. */
    public static final String NODE_CLASS = "muster.dev/node-class";

    /** Scheduling gate in the pod templates of managed jobs: no pod is scheduled before it has a place. */
    public static final String GATE = "muster.dev/place";
    /** Label on a namespace: the queue of its jobs that name none. */
    public static final String DEFAULT_QUEUE = "muster.dev/default-queue";

    private Marks() {}
}
