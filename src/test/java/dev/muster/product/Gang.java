package dev.muster.product;

/**
 * A job as a user writes it.
 *
 * @param queue null for a job that nobody opted in
 * @param members pods that run at the same time, all of them needed
 * @param gpus of each pod
 * @param runFor how long a simulated pod runs, such as {@code 5s}; empty for ever
 * @param annotations further annotations of the job, as YAML map entries
 * @param labels further labels of the job, as YAML map entries
 */
record Gang(
        String namespace,
        String name,
        String queue,
        int members,
        int gpus,
        String runFor,
        String annotations,
        String labels) {
    static Gang of(String namespace, String name, String queue, int members, int gpus) {
        return new Gang(namespace, name, queue, members, gpus, "", "", "");
    }

    static Gang unlabelled(String namespace, String name) {
        return new Gang(namespace, name, "", 1, 0, "", "", "");
    }

    Gang running(String time) {
        return new Gang(namespace, name, queue, members, gpus, time, annotations, labels);
    }

    Gang annotated(String entries) {
        return new Gang(namespace, name, queue, members, gpus, runFor, entries, labels);
    }

    Gang labelled(String entries) {
        return new Gang(namespace, name, queue, members, gpus, runFor, annotations, entries);
    }

    /** One that may borrow and be preempted. */
    Gang interruptible() {
        return labelled("muster.dev/interruptible: \"true\"");
    }

    String yaml() {
        return """
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: %s
                  namespace: %s
                  labels: {%s}
                  annotations: {%s}
                spec:
                  parallelism: %d
                  completions: %d
                  completionMode: Indexed
                  template:
                    metadata: {annotations: {%s}}
                    spec:
                      restartPolicy: Never
                      terminationGracePeriodSeconds: 1
                      tolerations: [{key: nvidia.com/gpu, operator: Exists}]
                      containers:
                      - name: main
                        image: example
                        resources: {requests: {cpu: 100m, memory: 64Mi}, limits: {%s}}
                """.formatted(
                        name,
                        namespace,
                        queue.isEmpty() ? "" : "muster.dev/queue: " + queue + (labels.isEmpty() ? "" : ", " + labels),
                        annotations,
                        members,
                        members,
                        runFor.isEmpty() ? "" : "test.muster.dev/run-for: " + runFor,
                        gpus == 0 ? "" : "nvidia.com/gpu: \"" + gpus + "\"");
    }
}
