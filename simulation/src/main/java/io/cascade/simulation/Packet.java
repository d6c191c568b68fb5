package io.cascade.simulation;

/**
 * A packet on a modelled link.
 *
 * @param content not used by the link
 * @param bytes of the IP packet, which determine its serialisation time
 */
public record Packet(Object content, int bytes) {}
