package io.cascade.orchestrator.planning;

/**
 * A path from a client's address.
 *
 * @param to a destination as HOST:PORT, or a relay's name
 */
record ClientPath(String client, String to) {}
