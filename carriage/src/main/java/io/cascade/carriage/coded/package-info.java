/**
 * Connections that are streams of coded sessions, at the dialling and at the accepting end. A
 * session runs on an event loop; its datagrams are sent over UDP, or over TCP if UDP gets no
 * answer. Coded hops and transfers use them.
 */
@NullMarked
package io.cascade.carriage.coded;

import org.jspecify.annotations.NullMarked;
