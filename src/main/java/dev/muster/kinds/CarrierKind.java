package dev.muster.kinds;

import java.util.List;

/**
 * A kind whose objects are no gangs but make some: the marks on it are handed on to what it makes.
 *
 * @param labels the map of labels that its children get
 * @param annotations the map of annotations that its children get
 */
public record CarrierKind(
        KindName name, FieldPath labels, FieldPath annotations, List<FieldRule> refusals, List<FieldRule> warnings)
        implements KindDescriptor {
    public CarrierKind {
        refusals = List.copyOf(refusals);
        warnings = List.copyOf(warnings);
    }
}
