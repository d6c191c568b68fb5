package io.cascade.simulation;

/**
 * A packet on a modelled link.
 *
 * @param content of which the link knows nothing
 * @param bytes of the IP packet, what its serialisation takes
 */
public record Packet(Object content, int bytes) {}
