package dev.muster.cli;

import dev.muster.files.FileTree;
import dev.muster.kinds.KindReader;
import dev.muster.kinds.Render;
import dev.muster.kinds.ShippedKinds;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * {@code kinds render [FOLDER]}: prints what an operator applies for the shipped kinds and those that the folder describes.
 * Exit codes: 0 when it was printed, 1 when a descriptor is wrong (then everything that is wrong is said, and nothing is
 * printed), 2 for a command that it does not know.
 */
public final class KindsCommand {
    private KindsCommand() {}

    /** Whether the arguments ask for it. */
    public static boolean isAsked(List<String> arguments) {
        return !arguments.isEmpty() && arguments.get(0).equals("kinds");
    }

    /** Runs it on the standard streams and returns the exit code. */
    public static int run(List<String> arguments) {
        return run(arguments, System.out, System.err);
    }

    static int run(List<String> arguments, PrintStream out, PrintStream err) {
        if (arguments.size() < 2 || arguments.size() > 3 || !arguments.get(1).equals("render")) {
            err.println("usage: kinds render [FOLDER]");
            return 2;
        }
        try {
            Map<String, String> files =
                    arguments.size() == 3 ? FileTree.texts(Path.of(arguments.get(2)), ".yaml") : Map.of();
            KindReader.Read read = KindReader.read(ShippedKinds.all(), files);
            if (!read.problems().isEmpty()) {
                read.problems().forEach(err::println);
                return 1;
            }
            out.print(Render.of(read.kinds()));
            return 0;
        } catch (IOException e) {
            err.println("the folder " + arguments.get(2) + " cannot be read: " + e.getMessage());
            return 1;
        }
    }
}
