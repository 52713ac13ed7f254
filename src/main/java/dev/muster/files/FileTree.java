package dev.muster.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The text files below a folder. */
public final class FileTree {
    private FileTree() {}

    /**
     * The files whose names end in the given text, by their path below the folder, with {@code /} between its parts.
     *
     * @throws IOException if the folder or one of the files cannot be read
     */
    public static Map<String, String> texts(Path folder, String ending) throws IOException {
        Map<String, String> texts = new TreeMap<>();
        List<Path> files;
        try (Stream<Path> walk = Files.walk(folder)) {
            files = walk.filter(file -> Files.isRegularFile(file)
                            && file.getFileName().toString().endsWith(ending))
                    .toList();
        }
        for (Path file : files) {
            texts.put(folder.relativize(file).toString().replace('\\', '/'), Files.readString(file));
        }
        return texts;
    }
}
