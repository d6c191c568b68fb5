/**
 * Forwards IP packets as a router does: checks them, decrements the hop limit, answers with ICMP.
 */
@NullMarked
package io.cascade.packets.forward;

import org.jspecify.annotations.NullMarked;
