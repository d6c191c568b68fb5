/**
 * Connections that are streams of coded sessions, at the end that dials and at the one that takes
 * them. A session runs on an event loop; its datagrams go over UDP, or over TCP where UDP gets no
 * answer. Coded hops and transfers use them.
 */
@NullMarked
package io.cascade.carriage.coded;

import org.jspecify.annotations.NullMarked;
