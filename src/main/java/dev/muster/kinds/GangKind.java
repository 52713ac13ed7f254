package dev.muster.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A kind each object of which is a gang: it has a switch that suspends it and pod templates.
 *
 * @param makers user names of the controllers that make its pods, or objects on the way to them
 * @param suspend the switch
 * @param podsets where its pods are described, at least one
 * @param deadline seconds that it may run by its own controller; null when it knows none
 * @param suspended what says that its controller has suspended it; then no more pods come
 * @param succeeded what says that it has ended well; null when it never does
 * @param failed what says that it has ended otherwise; null when it never does
 * @param active fields that count pods which are not ended, as its controller sees them
 * @param owners kinds that may stand between it and its pods
 * @param sample an object of it, name and labels apart, that a dry run can create
 */
public record GangKind(
        KindName name,
        List<String> makers,
        FieldPath suspend,
        List<PodSetRule> podsets,
        @Nullable FieldPath deadline,
        Signal suspended,
        @Nullable Signal succeeded,
        @Nullable Signal failed,
        List<FieldPath> active,
        List<KindName> owners,
        List<FieldRule> refusals,
        List<FieldRule> warnings,
        JsonNode sample)
        implements KindDescriptor {
    public GangKind {
        makers = List.copyOf(makers);
        podsets = List.copyOf(podsets);
        active = List.copyOf(active);
        owners = List.copyOf(owners);
        refusals = List.copyOf(refusals);
        warnings = List.copyOf(warnings);
        sample = sample.deepCopy();
    }

    @Override
    public JsonNode sample() {
        return sample.deepCopy();
    }
}
