package io.cascade.model.estimate;

import io.cascade.model.uncertainty.Interval;

/**
 * Parts of a finite transfer's time, in seconds at the likely loss: set-up, sending and drain add
 * up to the total. Infinite if some hop delivers nothing.
 *
 * @param setup until the source may send
 * @param slowStart part of the sending during which the slowest hop's window grows
 * @param fill from the first packet's leaving the source to its arrival at the destination
 * @param sending from the first packet's leaving the source to the last one's
 * @param drain from the last packet's leaving the source to its arrival
 * @param total with the loss's bounds
 * @param goodputBitsPerSecond the transfer's bits over the total
 */
public record TransferTime(
    double setup,
    double slowStart,
    double fill,
    double sending,
    double drain,
    Interval total,
    Interval goodputBitsPerSecond) {}
