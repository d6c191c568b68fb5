/** Forwarding of IP packets as a router does it: check, count hops, answer with ICMP. */
@NullMarked
package io.cascade.packets.forward;

import org.jspecify.annotations.NullMarked;
