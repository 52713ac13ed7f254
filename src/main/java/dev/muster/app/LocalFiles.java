package dev.muster.app;

import dev.muster.files.FileTree;
import io.quarkus.runtime.util.ClassPathUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;

/** The files that are bundled for local mode: the demo, and the rules of the API server that it plays. */
final class LocalFiles {
    private LocalFiles() {}

    /** Files of a bundled folder whose names end in the given text, by their path below it. */
    static Map<String, String> bundled(String folder, String ending) {
        Map<String, String> texts = new TreeMap<>();
        try {
            ClassPathUtils.consumeAsPaths("local/" + folder, path -> {
                try {
                    texts.putAll(FileTree.texts(path, ending));
                } catch (IOException e) {
                    throw new UncheckedIOException("the bundled folder " + folder + " cannot be read", e);
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException("the bundled folder " + folder + " cannot be read", e);
        }
        return texts;
    }
}
