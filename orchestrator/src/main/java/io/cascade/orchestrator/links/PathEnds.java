package io.cascade.orchestrator.links;

/**
 * The ends of a path that leads from or to something that is no relay.
 *
 * @param from a client's address, or a relay's name
 * @param to a destination as HOST:PORT, or a relay's name
 */
public record PathEnds(String from, String to) {}
