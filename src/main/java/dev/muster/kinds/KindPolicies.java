package dev.muster.kinds;

import dev.muster.kinds.PolicyText.Validation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The policies of the API server for kinds beside the batch Job, for which the same are written by hand. For each kind of gangs:
 *
 * <ul>
 *   <li>{@code create} and {@code default-queue} suspend and mark a new object that names a queue, or gets its namespace's;
 *       {@code keep} makes a manifest that is applied again harmless. They patch by JSON patch, since an apply
 *       configuration replaces lists whose elements the schema does not name, and pass over children.
 *   <li>{@code guard}, {@code late} and {@code templates} hold what nobody but Muster may do; {@code self} what Muster may.
 * </ul>
 *
 * <p>Once for all: {@code fence}. For kinds between a job and its pods: {@code child}, which takes the marks away. For kinds
 * that hand their marks on: {@code carry}. Users are told by name; conditions know no variables, so lists stand in each.
 */
final class KindPolicies {
    static final String MUSTER = "system:serviceaccount:muster-system:muster";

    private static final String QUEUED =
            "objectSelector:\n  matchExpressions: [{key: muster.dev/queue, operator: Exists}]";
    private static final String MANAGED =
            "objectSelector:\n  matchExpressions: [{key: muster.dev/managed, operator: Exists}]";
    private static final String DEFAULTED = """
            namespaceSelector:
              matchExpressions: [{key: muster.dev/default-queue, operator: Exists}]
            objectSelector:
              matchExpressions: [{key: muster.dev/queue, operator: DoesNotExist}]""";
    private static final String OUR_ANNOTATIONS =
            "[\"muster.dev/admission\", \"muster.dev/fence\", \"muster.dev/waiting\","
                    + " \"muster.dev/claim\", \"muster.dev/history\", \"muster.dev/stop-at\"]";
    private static final String OUR_LABELS = "[\"muster.dev/managed\", \"muster.dev/state\"]";
    private static final String NOT_MUSTER = "request.userInfo.username != \"" + MUSTER + "\"";
    private static final String BY_MUSTER = "request.userInfo.username == \"" + MUSTER + "\"";
    private static final List<String> HANDED_LABELS =
            List.of("muster.dev/queue", "muster.dev/interruptible", "muster.dev/priority-class");
    private static final List<String> HANDED_ANNOTATIONS =
            List.of("muster.dev/node-classes", "muster.dev/requires", "muster.dev/topology", "muster.dev/max-runtime");

    private final PolicyText out = new PolicyText();
    private final Set<String> makers;

    private KindPolicies(Set<String> makers) {
        this.makers = makers;
    }

    /** All of them, as YAML documents. */
    static String of(Kinds kinds) {
        KindPolicies policies = new KindPolicies(kinds.makers());
        kinds.gangs().forEach(policies::gang);
        List<KindName> gangs = kinds.gangs().stream().map(GangKind::name).toList();
        if (!gangs.isEmpty()) {
            policies.fence(gangs);
        }
        kinds.children().forEach(policies::child);
        kinds.carriers().forEach(policies::carrier);
        return policies.out.text();
    }

    /** Who makes managed pods, as a CEL list. */
    static String list(Set<String> makers) {
        return makers.stream().map(maker -> "'" + maker + "'").collect(Collectors.joining(", ", "[", "]"));
    }

    private String isChild() {
        return "request.userInfo.username in " + list(makers)
                + " && object.metadata.?ownerReferences.orValue([]).exists(o, o.?controller.orValue(false))";
    }

    private void gang(GangKind kind) {
        CelTemplates cel = new CelTemplates(kind);
        String id = kind.name().id();
        List<KindName> names = List.of(kind.name());
        out.mutating(
                "muster-create-" + id,
                kind.name().kind() + ": as muster-create does for jobs.",
                PolicyText.match(QUEUED, "CREATE", names, false),
                List.of(PolicyText.named("no-child", "!(" + isChild() + ")")),
                cel.variables(),
                "[" + cel.suspend("true") + ",\n"
                        + CelTemplates.add(
                                "\"/metadata/labels/\" + jsonpatch.escapeKey(\"muster.dev/managed\")", "\"true\"")
                        + "]\n+ " + cel.prepared());
        out.mutating(
                "muster-default-queue-" + id,
                "",
                PolicyText.match(DEFAULTED, "CREATE", names, false),
                List.of(PolicyText.named(
                        "of-no-other-owner",
                        "object.metadata.?ownerReferences.orValue([]).all(o, o.?controller.orValue(false) == false)")),
                cel.variables(),
                "[" + cel.suspend("true") + "]\n+ (!has(object.metadata.labels) ? ["
                        + CelTemplates.add("\"/metadata/labels\"", "{}") + "] : [])\n+ ["
                        + CelTemplates.add(
                                "\"/metadata/labels/\" + jsonpatch.escapeKey(\"muster.dev/queue\")",
                                "namespaceObject.metadata.labels[\"muster.dev/default-queue\"]")
                        + ",\n"
                        + CelTemplates.add(
                                "\"/metadata/labels/\" + jsonpatch.escapeKey(\"muster.dev/managed\")", "\"true\"")
                        + "]\n+ " + cel.prepared());
        keep(kind, cel);
        guard(kind, cel);
        late(kind, cel);
        self(kind, cel);
        out.validating(
                "muster-templates-" + id,
                "",
                PolicyText.match("", "CREATE, UPDATE", names, false),
                List.of(
                        PolicyText.named(
                                "not-managed", "!(\"muster.dev/managed\" in object.metadata.?labels.orValue({}))"),
                        PolicyText.named("no-child", "!(" + isChild() + ")"),
                        PolicyText.named("managed-pods", cel.anyLabelled("object"))),
                List.of(),
                List.of(Validation.saying(
                        "oldObject != null && (" + cel.anyLabelled("oldObject") + ")",
                        "only a managed job makes managed pods. Maybe remove muster.dev/managed from the pod templates,"
                                + " or give the job the label muster.dev/queue")));
    }

    private void keep(GangKind kind, CelTemplates cel) {
        List<String> variables = new ArrayList<>(cel.variables());
        variables.add(PolicyText.named("nl", "object.metadata.?labels.orValue({})"));
        variables.add(PolicyText.named("na", "object.metadata.?annotations.orValue({})"));
        variables.add(PolicyText.named("ol", "oldObject.metadata.?labels.orValue({})"));
        variables.add(PolicyText.named("oa", "oldObject.metadata.?annotations.orValue({})"));
        variables.add(PolicyText.named("labels", kept(OUR_LABELS, "variables.ol", "variables.nl")));
        variables.add(PolicyText.named("annotations", kept(OUR_ANNOTATIONS, "variables.oa", "variables.na")));
        out.mutating(
                "muster-keep-" + kind.name().id(),
                "",
                PolicyText.match(MANAGED, "UPDATE", List.of(kind.name()), false),
                List.of(
                        PolicyText.named(
                                "managed",
                                "oldObject.metadata.?labels[\"muster.dev/managed\"].orValue(\"\") == \"true\""),
                        PolicyText.named("not-muster", NOT_MUSTER)),
                variables,
                "[" + cel.suspend(cel.suspended("oldObject")) + "]\n"
                        + put("labels", "variables.labels", "variables.ol") + "\n"
                        + put("annotations", "variables.annotations", "variables.oa") + "\n+ " + cel.prepared());
    }

    private static String kept(String keys, String old, String now) {
        return keys + ".filter(k, k in " + old + " && !(k in " + now + " && " + now + "[k] == " + old + "[k]))";
    }

    private static String put(String map, String keys, String from) {
        return "+ (" + keys + ".size() > 0 && !has(object.metadata." + map + ") ? ["
                + CelTemplates.add("\"/metadata/" + map + "\"", "{}") + "] : [])\n+ " + keys + ".map(k, "
                + CelTemplates.add("\"/metadata/" + map + "/\" + jsonpatch.escapeKey(k)", from + "[k]") + ")";
    }

    private void guard(GangKind kind, CelTemplates cel) {
        List<String> variables = new ArrayList<>(cel.variables());
        variables.addAll(marks());
        variables.add(PolicyText.named("admitted", "oldObject != null && \"muster.dev/admission\" in variables.oa"));
        out.validating(
                "muster-guard-" + kind.name().id(),
                "",
                PolicyText.match(MANAGED, "CREATE, UPDATE", List.of(kind.name()), true),
                List.of(PolicyText.named("not-muster", NOT_MUSTER)),
                variables,
                List.of(
                        Validation.saying(
                                OUR_ANNOTATIONS + ".all(k, variables.na[?k] == variables.oa[?k])",
                                "only Muster writes the annotations muster.dev/admission, fence, waiting, claim, history"
                                        + " and stop-at. Maybe remove them from the manifest"),
                        Validation.saying(
                                "variables.nl[?\"muster.dev/state\"] == variables.ol[?\"muster.dev/state\"]",
                                "only Muster writes the label muster.dev/state. Maybe remove it from the manifest"),
                        Validation.saying(
                                "oldObject == null || variables.nl[?\"muster.dev/managed\"] == variables.ol[?\"muster.dev/managed\"]",
                                "the label muster.dev/managed of a job cannot change. Maybe delete the job and create it"
                                        + " with muster.dev/queue"),
                        Validation.saying(
                                "oldObject != null ? " + cel.suspended("object") + " == " + cel.suspended("oldObject")
                                        + " : " + cel.suspended("object"),
                                "only Muster starts and stops a managed job. Maybe delete the job to stop it"),
                        Validation.saying(
                                "\"muster.dev/queue\" in variables.nl",
                                "a managed job cannot leave its queue: it needs the label muster.dev/queue. Maybe delete"
                                        + " the job"),
                        Validation.saying(
                                cel.allLabelled(),
                                "the pod templates of a managed job keep the label muster.dev/managed"),
                        Validation.saying(
                                cel.allGated(),
                                "the pod templates of a managed job keep the scheduling gate muster.dev/place"),
                        Validation.saying(
                                cel.noForeignAnnotations(),
                                "of Muster's annotations a pod template carries muster.dev/topology only. Maybe put the"
                                        + " others on the job"),
                        Validation.saying(
                                "!variables.admitted || (variables.nl[?\"muster.dev/queue\"] == variables.ol[?\"muster.dev/queue\"]\n"
                                        + "&& variables.nl[?\"muster.dev/interruptible\"] == variables.ol[?\"muster.dev/interruptible\"]\n"
                                        + "&& variables.nl[?\"muster.dev/priority-class\"] == variables.ol[?\"muster.dev/priority-class\"]\n"
                                        + "&& [\"muster.dev/requires\", \"muster.dev/node-classes\", \"muster.dev/topology\"]"
                                        + ".all(k, variables.na[?k] == variables.oa[?k])\n&& " + cel.sameShape() + ")",
                                "queue, size, requirements, priority and templates of an admitted gang cannot change. Maybe delete the"
                                        + " job and submit it anew")));
    }

    private static List<String> marks() {
        return List.of(
                PolicyText.named("nl", "object.metadata.?labels.orValue({})"),
                PolicyText.named("na", "object.metadata.?annotations.orValue({})"),
                PolicyText.named("ol", "oldObject == null ? {} : oldObject.metadata.?labels.orValue({})"),
                PolicyText.named("oa", "oldObject == null ? {} : oldObject.metadata.?annotations.orValue({})"));
    }

    private void late(GangKind kind, CelTemplates cel) {
        out.validating(
                "muster-late-" + kind.name().id(),
                "",
                PolicyText.match(QUEUED, "CREATE, UPDATE", List.of(kind.name()), true),
                List.of(),
                List.of(),
                List.of(
                        Validation.saying(
                                "oldObject == null || oldObject.metadata.?labels[?\"muster.dev/managed\"].hasValue()"
                                        + " || oldObject.metadata.?labels[?\"muster.dev/queue\"].hasValue()",
                                "muster.dev/queue can only be given when the job is created. Maybe delete the job and"
                                        + " create it anew"),
                        Validation.saying(
                                "oldObject != null || (object.metadata.?labels[?\"muster.dev/managed\"].orValue(\"\") =="
                                        + " \"true\" && " + cel.suspended("object") + ")",
                                "the job names a queue and was not prepared. Maybe the policy muster-create-"
                                        + kind.name().id() + " is not installed, which needs Kubernetes 1.36")));
    }

    private void self(GangKind kind, CelTemplates cel) {
        List<String> variables = new ArrayList<>(marks());
        variables.add(PolicyText.named(
                "mine",
                "[\"muster.dev/state\", \"muster.dev/admission\", \"muster.dev/fence\", \"muster.dev/waiting\","
                        + " \"muster.dev/claim\", \"muster.dev/history\", \"muster.dev/stop-at\"]"));
        variables.add(PolicyText.named("sample", "request.operation == \"CREATE\" && request.?dryRun.orValue(false)"));
        out.validating(
                "muster-self-" + kind.name().id(),
                "What Muster's own token may change on them; a create only in a dry run, by which it learns whether the kind works.",
                PolicyText.match("", "CREATE, UPDATE", List.of(kind.name()), true),
                List.of(PolicyText.named("by-muster", BY_MUSTER)),
                variables,
                List.of(
                        Validation.saying(
                                "variables.sample || (request.operation == \"UPDATE\""
                                        + " && variables.ol[?\"muster.dev/managed\"].orValue(\"\") == \"true\")",
                                "Muster changes managed jobs only"),
                        Validation.saying(
                                "variables.sample || (variables.nl.all(k, k in variables.mine || variables.ol[?k] == variables.nl[?k])\n"
                                        + "&& variables.ol.all(k, k in variables.mine || k in variables.nl)\n"
                                        + "&& variables.na.all(k, k in variables.mine || variables.oa[?k] == variables.na[?k])\n"
                                        + "&& variables.oa.all(k, k in variables.mine || k in variables.na))",
                                "Muster writes its own labels and annotations only"),
                        Validation.saying(
                                "oldObject == null || (" + cel.sameButSuspend() + ")",
                                "Muster changes " + kind.suspend() + " only"),
                        Validation.saying(
                                cel.suspended("object") + " || \"muster.dev/admission\" in variables.na",
                                "Muster starts a job only with an admission"),
                        Validation.saying(
                                "oldObject == null || (object.metadata.?ownerReferences == oldObject.metadata.?ownerReferences"
                                        + " && object.metadata.?finalizers == oldObject.metadata.?finalizers)",
                                "Muster changes no owners and no finalizers")));
    }

    private void fence(List<KindName> kinds) {
        String match = "  paramKind: {apiVersion: coordination.k8s.io/v1, kind: Lease}\n"
                + PolicyText.match(MANAGED, "UPDATE", kinds, false);
        out.validating(
                "muster-fence-kinds",
                "Only the present leader writes, as muster-fence says of jobs.",
                match,
                List.of(PolicyText.named("by-muster", BY_MUSTER)),
                List.of(),
                List.of(new Validation(
                        "object.metadata.?annotations[\"muster.dev/fence\"].orValue(\"\") =="
                                + " params.metadata.uid + \"/\" + string(params.spec.leaseTransitions)",
                        "reason: Forbidden\nmessageExpression: >-\n  \"this leader has been replaced: the fence is \" +"
                                + " params.metadata.uid + \"/\" + string(params.spec.leaseTransitions)")));
        out.raw("  paramRef: {name: muster-leader, namespace: muster-system, parameterNotFoundAction: Allow}\n");
    }

    /**
     * What a controller makes for a job is part of that job: it is no gang of its own, whatever labels it was given. It gets
     * a label that says so; for the API server gives a Job without labels those of its pods, and among them is ours.
     */
    private void child(KindName name) {
        String marks = "object.metadata.?%1$s.orValue({}).map(k, k).filter(k, k.startsWith(\"muster.dev/\"))";
        String remove =
                marks + ".map(k,\n    JSONPatch{op: \"remove\", path: \"/metadata/%1$s/\" + jsonpatch.escapeKey(k)})";
        out.mutating(
                "muster-child-" + name.id(),
                name.kind() + ": one that a job's controller makes is part of that job and gets none of its marks.",
                PolicyText.match("", "CREATE", List.of(name), false),
                List.of(
                        PolicyText.named("child", isChild()),
                        PolicyText.named(
                                "marked",
                                "object.metadata.?labels.orValue({}).exists(k, k.startsWith(\"muster.dev/\"))")),
                List.of(),
                remove.formatted("labels") + "\n+ " + remove.formatted("annotations") + "\n+ ["
                        + CelTemplates.add(
                                "\"/metadata/labels/\" + jsonpatch.escapeKey(\"muster.dev/child\")", "\"true\"")
                        + "]");
    }

    private void carrier(CarrierKind kind) {
        List<String> variables = List.of(
                PolicyText.named("nl", "object.metadata.?labels.orValue({})"),
                PolicyText.named("na", "object.metadata.?annotations.orValue({})"),
                PolicyText.named("tl", CelTemplates.optional("object", kind.labels()) + ".orValue({})"),
                PolicyText.named("ta", CelTemplates.optional("object", kind.annotations()) + ".orValue({})"),
                PolicyText.named("labels", kept(list(HANDED_LABELS), "variables.nl", "variables.tl")),
                PolicyText.named("annotations", kept(list(HANDED_ANNOTATIONS), "variables.na", "variables.ta")));
        out.mutating(
                "muster-carry-" + kind.name().id(),
                kind.name().kind() + ": what it makes gets its marks.",
                PolicyText.match(QUEUED, "CREATE, UPDATE", List.of(kind.name()), false),
                List.of(),
                variables,
                handed(kind.labels(), "variables.labels", "variables.nl", List.of()) + "\n+ "
                        + handed(
                                kind.annotations(),
                                "variables.annotations",
                                "variables.na",
                                kind.labels()
                                        .names()
                                        .subList(0, kind.labels().names().size() - 1)));
    }

    private static String list(List<String> keys) {
        return keys.stream().map(CelTemplates::quoted).collect(Collectors.joining(", ", "[", "]"));
    }

    /** Adds what is to be handed on; {@code made} is a parent that the labels before, of which there are always some, have made. */
    private static String handed(FieldPath map, String keys, String from, List<String> made) {
        StringBuilder operations = new StringBuilder();
        List<String> names = map.names();
        for (int i = 2; i <= names.size(); i++) {
            FieldPath parent = new FieldPath(names.subList(0, i));
            if (i <= made.size() && made.subList(0, i).equals(names.subList(0, i))) {
                continue;
            }
            operations
                    .append("(")
                    .append(keys)
                    .append(".size() > 0 && !")
                    .append(CelTemplates.optional("object", parent))
                    .append(".hasValue() ? [")
                    .append(CelTemplates.add(CelTemplates.quoted(parent.pointer()), "{}"))
                    .append("] : [])\n+ ");
        }
        return operations + keys + ".map(k, "
                + CelTemplates.add(CelTemplates.quoted(map.pointer() + "/") + " + jsonpatch.escapeKey(k)", from + "[k]")
                + ")";
    }
}
