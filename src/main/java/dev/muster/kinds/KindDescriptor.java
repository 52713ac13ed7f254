package dev.muster.kinds;

import java.util.List;

/** How one kind of objects takes part in Muster. */
public sealed interface KindDescriptor permits GangKind, CarrierKind {
    /** What the API server calls it. */
    KindName name();

    /** What is said of an object at the door without refusing it. */
    List<FieldRule> warnings();

    /** What is refused at the door. */
    List<FieldRule> refusals();
}
