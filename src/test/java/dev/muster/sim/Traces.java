package dev.muster.sim;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The recorded job lists that tests replay. */
final class Traces {
    private Traces() {}

    /** One week of 12 teams, for 256 GPUs. */
    static Trace week() {
        try (InputStream file = Traces.class.getResourceAsStream("/traces/philly-20171113-7d.csv")) {
            if (file == null) {
                throw new IllegalStateException("test resource traces/philly-20171113-7d.csv is missing");
            }
            return Trace.parse(new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Two months of 14 teams, for 512 GPUs; empty when the file is not there. {@code -Dmuster.traces} names its folder. */
    static Optional<Trace> twoMonths() {
        Path file = Path.of(System.getProperty("muster.traces", "../shared/traces"), "philly-20171001-61d.csv");
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Trace.parse(Files.readAllLines(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
