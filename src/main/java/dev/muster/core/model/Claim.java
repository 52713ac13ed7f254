package dev.muster.core.model;

import java.util.List;

/**
 * Capacity kept for a preemptor while its victims leave: its whole place and charge, free parts included. Stored on its job
 * before any victim is told to stop.
 *
 * @param place the admission that it will have, with the time of the claim
 * @param victims UIDs of the gangs that have to stop for it
 */
public record Claim(Admission place, List<String> victims) {
    public Claim {
        victims = List.copyOf(victims);
    }
}
