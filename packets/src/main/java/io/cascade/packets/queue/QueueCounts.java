package io.cascade.packets.queue;

/**
 * Counts of a queue.
 *
 * @param droppedByDelay by CoDel
 * @param droppedByAge because they had waited too long
 * @param droppedByLength because the queue was full
 * @param meanSojournMicros of the packets that left, smoothed over about 64
 */
public record QueueCounts(
    long taken,
    long left,
    long droppedByDelay,
    long droppedByAge,
    long droppedByLength,
    long marked,
    int waiting,
    long meanSojournMicros) {}
