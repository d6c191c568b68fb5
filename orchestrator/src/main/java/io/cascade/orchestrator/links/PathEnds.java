package io.cascade.orchestrator.links;

/**
 * The ends of a path, in the direction of its data.
 *
 * @param from name of a relay, or address of a client
 * @param to name of a relay, or a destination as HOST:PORT
 */
public record PathEnds(String from, String to) {
  @Override
  public String toString() {
    return from + " to " + to;
  }
}
