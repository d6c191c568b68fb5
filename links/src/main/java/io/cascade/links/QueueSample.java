package io.cascade.links;

/**
 * A queue over 20 ms.
 *
 * @param seconds since the emulator started, at the interval's end
 * @param bytes the longest the queue was
 */
public record QueueSample(double seconds, long bytes) {}
