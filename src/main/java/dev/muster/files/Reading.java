package dev.muster.files;

import java.util.List;

/**
 * What came of reading files: the objects in their order, and everything that is wrong. An object with a problem is among
 * the manifests too, as far as it has a kind and a name.
 */
public record Reading(List<Manifest> manifests, List<Problem> problems) {
    public Reading {
        manifests = List.copyOf(manifests);
        problems = List.copyOf(problems);
    }

    /** What is wrong with the files themselves, and with documents that are no object. */
    public List<Problem> problemsOfNoManifest() {
        return problems.stream()
                .filter(problem -> manifests.stream()
                        .noneMatch(manifest -> manifest.problems().contains(problem)))
                .toList();
    }
}
