package io.cascade.testbed.lab;

import io.cascade.testbed.emulator.LinkShape;

/** A link of a lab that is up, seen from one of its ends. */
@SuppressWarnings("DoNotCallSuggester")
public final class Link {
  private final String from;
  private final String to;

  Link(String from, String to) {
    this.from = from;
    this.to = to;
  }

  public String from() {
    return from;
  }

  public String to() {
    return to;
  }

  /** Both directions at once, from now on. Packets that are under way keep what they had. */
  public void shape(LinkShape shape) {
    shape(shape, shape);
  }

  public void shape(LinkShape forward, LinkShape backward) {
    throw new UnsupportedOperationException("not there yet");
  }

  /** Changes some parameters of both directions. */
  public void change(ShapeChange change) {
    throw new UnsupportedOperationException("not there yet");
  }
}
