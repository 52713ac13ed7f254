package dev.muster.kinds;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The kinds that take part besides the batch Job, which is built in.
 *
 * @param all in the order of their resources and versions, each once
 */
public record Kinds(List<KindDescriptor> all) {
    /** Who makes the pods of batch Jobs. */
    public static final String JOB_CONTROLLER = "system:serviceaccount:kube-system:job-controller";

    private static final Comparator<KindDescriptor> ORDER =
            Comparator.comparing(kind -> kind.name().id());

    /** None. */
    public static final Kinds NONE = new Kinds(List.of());

    public Kinds {
        all = all.stream().sorted(ORDER).toList();
    }

    /** Those whose objects are gangs. */
    public List<GangKind> gangs() {
        return all.stream()
                .filter(GangKind.class::isInstance)
                .map(GangKind.class::cast)
                .toList();
    }

    /** Those that hand their marks on. */
    public List<CarrierKind> carriers() {
        return all.stream()
                .filter(CarrierKind.class::isInstance)
                .map(CarrierKind.class::cast)
                .toList();
    }

    /** The kind of a resource in a version. */
    public Optional<KindDescriptor> of(String group, String version, String plural) {
        return all.stream()
                .filter(kind -> kind.name().group().equals(group)
                        && kind.name().version().equals(version)
                        && kind.name().plural().equals(plural))
                .findFirst();
    }

    /** The kind with this name in manifests, in whatever version. */
    public Optional<KindDescriptor> named(String apiVersion, String kind) {
        return all.stream().filter(one -> one.name().isOwner(apiVersion, kind)).findFirst();
    }

    /** User names of everybody who may make managed pods, the job controller among them, in their order. */
    public Set<String> makers() {
        TreeSet<String> makers = new TreeSet<>(Set.of(JOB_CONTROLLER));
        gangs().forEach(kind -> makers.addAll(kind.makers()));
        return makers;
    }

    /** What may stand between a job and its pods and be looked up on the way: kinds of gangs, and kinds between. */
    public Set<KindName> owners() {
        TreeSet<KindName> owners = new TreeSet<>(Comparator.comparing(KindName::id));
        owners.add(KindName.JOB);
        gangs().forEach(kind -> {
            owners.add(kind.name());
            owners.addAll(kind.owners());
        });
        return owners;
    }

    /** Kinds of which some objects are made on the way from a job to its pods: such a child is not suspended again. */
    public Set<KindName> children() {
        TreeSet<KindName> children = new TreeSet<>(Comparator.comparing(KindName::id));
        gangs().forEach(kind -> children.addAll(kind.owners()));
        return children;
    }
}
