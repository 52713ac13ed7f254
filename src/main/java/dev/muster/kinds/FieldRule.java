package dev.muster.kinds;

/**
 * Something that the door says of an object when a field has certain values.
 *
 * @param test when it is said
 * @param because what follows from the value
 * @param cure what helps, as it follows "Maybe"
 */
public record FieldRule(FieldTest test, String because, String cure) {}
