package dev.muster.files;

/**
 * One thing that is wrong with a file.
 *
 * @param file name of the file, as the reader was given it
 * @param line counted from 1
 * @param field path of the field, such as {@code spec.quotas[0].nominal}; empty for the document as a whole
 * @param what what is wrong, the value included
 * @param cure a likely cure, beginning with "Maybe"; empty when none is known
 */
public record Problem(String file, int line, String field, String what, String cure) {
    @Override
    public String toString() {
        String where = file + ":" + line + ": " + (field.isEmpty() ? "" : field + ": ");
        return where + what + (cure.isEmpty() ? "" : ". " + cure);
    }
}
