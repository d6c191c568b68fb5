package io.cascade.gateway.tunnel;

import io.cascade.packets.queue.QueueCounts;
import org.jspecify.annotations.Nullable;

/**
 * Counters and state of a link.
 *
 * @param remote address at which the peer listens; null where it dials
 * @param sessions that have begun
 * @param lastEnd why the previous session ended; empty where there was none
 * @param heardMillisAgo time since the last datagram of the peer; −1 without a session
 * @param session the one that carries packets; null without
 * @param queue of the mode DATAGRAM
 * @param dropped packets for which the mode ORDERED had no room, and packets queued while the
 *     link's longest packet became shorter than they are
 */
public record LinkStatus(
    String peer,
    LinkState state,
    @Nullable String remote,
    long sessions,
    String lastEnd,
    int mtu,
    long heardMillisAgo,
    @Nullable SessionStatus session,
    QueueCounts queue,
    long dropped) {}
