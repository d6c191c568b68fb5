/**
 * Whether a stream through a chain is as a direct one: the same scripts of socket actions are
 * played on a direct connection and through chains of relays, and what each side sees is compared.
 *
 * <p>By design the two are not the same in this, and nothing more:
 *
 * <ul>
 *   <li>A destination that cannot be reached refuses the connection itself when it is direct;
 *       through a chain the connection is accepted and then reset, and the last relay has the
 *       reason.
 *   <li>How much a sender can send before it has to wait: more buffers lie on the way through a
 *       chain. So that a send has returned says nothing of the other side, here as there.
 *   <li>Of what was sent before a reset and not yet read, a direct connection delivers some
 *       beginning, and so does a chain; they need not be as long. What the other side had confirmed
 *       is never missing, and after it comes a reset and never an end.
 *   <li>A client that resets before its first byte has been read by the first relay may never be
 *       heard of at the destination.
 *   <li>Urgent data arrives in its place among the other bytes, without the mark (RFC 6093);
 *       through the NIO transport the urgent byte is missing.
 *   <li>Where relays hold bytes back, whoever waits for them waits longer; a script that cannot go
 *       on then is not played.
 * </ul>
 */
@NullMarked
package io.cascade.relay.conformance;

import org.jspecify.annotations.NullMarked;
