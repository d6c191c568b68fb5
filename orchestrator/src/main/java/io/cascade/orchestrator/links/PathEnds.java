package io.cascade.orchestrator.links;

/**
 * The ends of a path, in the direction of its data.
 *
 * @param from a relay's name, or a client's address
 * @param to a relay's name, or a destination as HOST:PORT
 */
public record PathEnds(String from, String to) {
  @Override
  public String toString() {
    return from + " to " + to;
  }
}
