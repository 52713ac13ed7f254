package dev.muster.core.model;

import java.util.List;
import java.util.Map;

/**
 * Capacity kept for a preemptor while its victims leave: its whole place and charge, free parts included. Stored on its job
 * before any victim is told to stop.
 *
 * @param place the admission that it will have, with the time of the claim
 * @param victims UIDs of the gangs that have to stop for it; none when the gang itself is being moved
 * @param moves the places that victims get which are only moved, by UID
 */
public record Claim(Admission place, List<String> victims, Map<String, Admission> moves) {
    public Claim {
        victims = List.copyOf(victims);
        moves = Map.copyOf(moves);
    }

    /** One that moves nobody. */
    public Claim(Admission place, List<String> victims) {
        this(place, victims, Map.of());
    }
}
