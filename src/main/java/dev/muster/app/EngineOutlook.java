package dev.muster.app;

import dev.muster.core.model.Gang;
import dev.muster.engine.Views;
import dev.muster.engine.Views.Assessment;
import dev.muster.webhook.DoorFacts.Outlook;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/** What the engine makes of a gang at the door. An engine that does not answer keeps nobody out: then nothing is known. */
record EngineOutlook(Supplier<Views> views) {
    private static final Logger LOG = Logger.getLogger(EngineOutlook.class);

    /** The engine's answer about a gang that is not stored yet. */
    Outlook of(Gang gang) {
        try {
            Assessment assessment = views.get().assess(gang);
            return new Outlook(assessment.never(), assessment.waiting(), assessment.ahead());
        } catch (IllegalStateException noAnswer) {
            LOG.warnf("a job of queue %s was let in without a judgement: %s", gang.queue(), noAnswer.getMessage());
            return Outlook.UNKNOWN;
        }
    }
}
