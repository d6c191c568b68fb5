/** What a router does to IP packets: check, count hops, answer with ICMP. */
@NullMarked
package io.cascade.packets.forward;

import org.jspecify.annotations.NullMarked;
