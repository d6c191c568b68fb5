package io.cascade.packets.forward;

/**
 * Counts of a forwarder's packets.
 *
 * @param malformed that no router may forward
 * @param spoofed whose source does not belong behind the port by which they arrived
 * @param noRoute to addresses without a route
 * @param loops that would have been sent back where they came from
 * @param expired whose hop limit was used up
 * @param tooBig for the next link, and not to be fragmented
 * @param fragmented because they were too big for the next link; their fragments count as forwarded
 * @param answered with ICMP
 * @param clamped SYNs
 */
public record ForwardCounts(
    long forwarded,
    long malformed,
    long spoofed,
    long noRoute,
    long loops,
    long expired,
    long tooBig,
    long fragmented,
    long answered,
    long clamped) {}
