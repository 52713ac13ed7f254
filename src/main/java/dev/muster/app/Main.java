package dev.muster.app;

import dev.muster.cli.KindsCommand;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.util.List;

/** The program: a command that ends, when one is named, else Muster itself. */
@QuarkusMain
public final class Main {
    Main() {} // Quarkus takes it for a bean

    public static void main(String... arguments) {
        if (KindsCommand.isAsked(List.of(arguments))) {
            System.exit(KindsCommand.run(List.of(arguments)));
        }
        Quarkus.run(arguments);
    }
}
