package dev.muster.kinds;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What an operator applies so that kinds beside the batch Job take part: rights, webhook and policies, as YAML. */
public final class Render {
    /** Files that are written by hand and name who makes managed pods. */
    private static final List<String> NAMING_MAKERS = List.of("create.yaml", "pods.yaml", "templates.yaml");

    private Render() {}

    /** All of it. Where the kinds bring makers of pods with them that are not shipped, what names them is there too. */
    public static String of(Kinds kinds) {
        StringBuilder yaml = new StringBuilder();
        yaml.append("""
                # For kinds beside the batch Job, on Kubernetes 1.36 and later. Made by `java -jar quarkus-run.jar kinds render [FOLDER]`
                # from the descriptors that are shipped and those in the folder: change those, not this. See docs/kinds.md.
                """);
        yaml.append(rights(kinds)).append(webhook(kinds)).append(KindPolicies.of(kinds));
        Set<String> shipped = ShippedKinds.all().makers();
        Set<String> all = kinds.makers();
        if (!all.equals(shipped)) {
            yaml.append(naming(shipped, all));
        }
        return yaml.toString();
    }

    private static String rights(Kinds kinds) {
        StringBuilder yaml = new StringBuilder("""
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata:
                  name: muster-kinds
                rules:
                # as on jobs; the create is for dry runs alone, which the policies muster-self-... hold it to
                """);
        Map<String, Set<String>> byGroup = new TreeMap<>();
        kinds.gangs()
                .forEach(kind -> byGroup.computeIfAbsent(kind.name().group(), group -> new TreeSet<>())
                        .add(kind.name().plural()));
        byGroup.forEach((group, plurals) -> yaml.append("- {apiGroups: [")
                .append(group)
                .append("], resources: [")
                .append(String.join(", ", plurals))
                .append("], verbs: [get, list, watch, patch, create]}\n"));
        Map<String, Set<String>> between = new TreeMap<>();
        kinds.children().stream()
                .filter(name -> !byGroup.getOrDefault(name.group(), Set.of()).contains(name.plural()))
                .forEach(name -> between.computeIfAbsent(name.group(), group -> new TreeSet<>())
                        .add(name.plural()));
        between.forEach((group, plurals) -> yaml.append("# what stands between a job and its pods\n- {apiGroups: [")
                .append(group)
                .append("], resources: [")
                .append(String.join(", ", plurals))
                .append("], verbs: [get]}\n"));
        return yaml.append("""
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata:
                  name: muster-kinds
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: muster-kinds}
                subjects:
                - {kind: ServiceAccount, name: muster, namespace: muster-system}
                """).toString();
    }

    private static String webhook(Kinds kinds) {
        StringBuilder yaml = new StringBuilder("""
                ---
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingWebhookConfiguration
                metadata:
                  name: muster-kinds
                webhooks:
                - name: validate.kinds.muster.dev # if it does not answer, the job is stored suspended and judged later
                  clientConfig:
                    service: {namespace: muster-system, name: muster-webhook, path: /validate/kinds}
                  admissionReviewVersions: [v1]
                  sideEffects: None
                  timeoutSeconds: 2
                  failurePolicy: Ignore
                  matchPolicy: Exact
                  objectSelector:
                    matchExpressions: [{key: muster.dev/queue, operator: Exists}]
                  matchConditions:
                  - {name: not-muster, expression: "request.userInfo.username != 'system:serviceaccount:muster-system:muster'"}
                  - {name: not-leaving, expression: "!has(object.metadata.deletionTimestamp)"}
                  - name: changed
                    expression: >-
                      request.operation == 'CREATE' || object.spec != oldObject.spec
                      || object.metadata.?labels != oldObject.metadata.?labels || object.metadata.?annotations != oldObject.metadata.?annotations
                  rules:
                """);
        kinds.all()
                .forEach(kind -> yaml.append("  - ")
                        .append(PolicyText.rule(kind.name(), "CREATE, UPDATE", false)
                                .replace("]}", "], scope: Namespaced}"))
                        .append("\n"));
        return yaml.toString();
    }

    /** The hand-written files with the new list of makers in the place of the shipped one. */
    private static String naming(Set<String> shipped, Set<String> all) {
        StringBuilder yaml = new StringBuilder();
        NAMING_MAKERS.forEach(file -> yaml.append("---\n")
                .append(ShippedKinds.text("local/webhook/policies/" + file)
                        .replace(KindPolicies.list(shipped), KindPolicies.list(all))));
        return yaml.toString();
    }
}
