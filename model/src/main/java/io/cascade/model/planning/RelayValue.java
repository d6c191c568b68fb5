package io.cascade.model.planning;

/**
 * Value of one more relay: the best that so many can do, beside the best with one fewer.
 *
 * @param relays how many, from 1
 * @param best the best route with exactly so many
 * @param gainOverOneFewer cost with one fewer over cost with these: 2 is twice as fast, below 1 the
 *     further relay harms; one fewer than one is the direct path; NaN where that has no prediction
 */
public record RelayValue(int relays, Candidate best, double gainOverOneFewer) {}
