package io.cascade.gateway.tunnel;

import io.cascade.packets.queue.QueueCounts;
import org.jspecify.annotations.Nullable;

/**
 * Counts and state of a link.
 *
 * @param remote where the peer listens; null where it dials
 * @param sessions that have begun
 * @param lastEnd why the session before ended; empty where none has
 * @param heardMillisAgo when the peer was heard of; −1 without a session
 * @param session the one that carries packets; null without
 * @param queue of the mode DATAGRAM
 * @param dropped packets for which the mode ORDERED had no room, and those that had waited while
 *     the longest packet that the link takes became shorter
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
