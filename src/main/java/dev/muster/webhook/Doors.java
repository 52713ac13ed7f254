package dev.muster.webhook;

import java.util.Map;

/** The paths of the webhook and what is decided at each. */
public final class Doors {
    public static final String DEFAULT_JOBS = "/default/jobs";
    public static final String MUTATE_JOBS = "/mutate/jobs";
    public static final String VALIDATE_JOBS = "/validate/jobs";
    public static final String MUTATE_PODS = "/mutate/pods";
    public static final String VALIDATE_PODS = "/validate/pods";
    public static final String VALIDATE_KINDS = "/validate/kinds";
    public static final String VALIDATE_QUEUES = "/validate/queues";
    public static final String VALIDATE_CLASSES = "/validate/classes";
    public static final String PLACE_PODS = "/place/pods";

    private Doors() {}

    /** All of them, over these facts. */
    public static Map<String, Decision> over(DoorFacts facts) {
        return Map.of(
                DEFAULT_JOBS, DefaultJob::on,
                MUTATE_JOBS, MutateJob::on,
                MUTATE_PODS, MutatePod::on,
                VALIDATE_PODS, request -> ValidatePod.on(request, facts),
                VALIDATE_JOBS, request -> ValidateJob.on(request, facts),
                VALIDATE_KINDS, request -> ValidateKind.on(request, facts),
                VALIDATE_QUEUES, request -> ValidateQueue.on(request, facts),
                VALIDATE_CLASSES, request -> ValidateClass.on(request, facts),
                PLACE_PODS, request -> PlacePod.on(request, facts));
    }
}
