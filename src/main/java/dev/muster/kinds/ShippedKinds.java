package dev.muster.kinds;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The kinds that come with Muster, described by files beside the code. */
public final class ShippedKinds {
    /** Names of the files in the folder {@code kinds}. */
    static final List<String> FILES = List.of(
            "cronjob.yaml",
            "jobset.yaml",
            "mpijob-v1.yaml",
            "mpijob-v2beta1.yaml",
            "pytorchjob.yaml",
            "raycluster.yaml",
            "rayjob.yaml",
            "trainjob.yaml");

    private ShippedKinds() {}

    /** All of them. */
    public static Kinds all() {
        KindReader.Read read = KindReader.read(texts());
        if (!read.problems().isEmpty()) {
            throw new IllegalStateException("the shipped kinds have problems: " + read.problems());
        }
        return read.kinds();
    }

    private static Map<String, String> texts() {
        Map<String, String> texts = new TreeMap<>();
        FILES.forEach(file -> texts.put("kinds/" + file, text("kinds/" + file)));
        return texts;
    }

    /** The text of a bundled file. */
    static String text(String path) {
        try (InputStream in = ShippedKinds.class.getClassLoader().getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException(path + " is not part of this build");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(path + " cannot be read", e);
        }
    }
}
