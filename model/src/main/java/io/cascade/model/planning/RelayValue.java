package io.cascade.model.planning;

/**
 * Value of one more relay: the best route with a number of relays, compared with the best with one
 * fewer.
 *
 * @param relays number of relays, from 1
 * @param best the best route with exactly this number
 * @param gainOverOneFewer cost with one fewer over cost with these: 2 is twice as fast, below 1 the
 *     further relay harms; one fewer than one is the direct path; NaN if that has no prediction
 */
public record RelayValue(int relays, Candidate best, double gainOverOneFewer) {}
