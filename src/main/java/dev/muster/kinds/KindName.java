package dev.muster.kinds;

/**
 * What the API server calls a kind.
 *
 * @param group API group; empty for the core group
 * @param version such as {@code v1}
 * @param kind such as {@code PyTorchJob}
 * @param plural as in URLs, such as {@code pytorchjobs}
 */
public record KindName(String group, String version, String kind, String plural) {
    /** The batch Job. */
    public static final KindName JOB = new KindName("batch", "v1", "Job", "jobs");

    /** The pod that names a queue itself. */
    public static final KindName POD = new KindName("", "v1", "Pod", "pods");

    /** Group and version as manifests write them. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** Plural and group, with a dot between, as in {@code jobs.batch}; in messages and metrics. */
    public String resource() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    /** Plural, group and version, as they may stand in names of objects. */
    public String id() {
        return resource() + "." + version;
    }

    /** Whether an owner reference means this kind, in whatever version. */
    public boolean isOwner(String apiVersion, String ownerKind) {
        int slash = apiVersion.indexOf('/');
        return kind.equals(ownerKind) && group.equals(slash < 0 ? "" : apiVersion.substring(0, slash));
    }
}
