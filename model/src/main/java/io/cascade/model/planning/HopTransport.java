package io.cascade.model.planning;

/**
 * Transport of a hop between relays, if a plan had the choice.
 *
 * @param coded whether it is a coded hop; TCP otherwise
 * @param why in words, without the hop's name: "1.9 Mbit/s with cubic at a loss of 2.1 %, coded 93
 *     Mbit/s"
 */
public record HopTransport(boolean coded, String why) {}
