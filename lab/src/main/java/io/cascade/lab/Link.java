package io.cascade.lab;

import io.cascade.lab.LabControl.Request;
import io.cascade.lab.LabControl.Verb;
import io.cascade.links.DirectionStatistics;
import io.cascade.links.LinkShape;
import java.util.Map;

/** A link of a lab that is up, seen from one of its ends. */
public final class Link {
  private final Lab lab;
  private final String from;
  private final String to;

  Link(Lab lab, String from, String to) {
    this.lab = lab;
    this.from = from;
    this.to = to;
  }

  public String from() {
    return from;
  }

  public String to() {
    return to;
  }

  /** Changes both directions at once, from now on. Packets in flight keep the previous shape. */
  public void shape(LinkShape shape) {
    shape(shape, shape);
  }

  public void shape(LinkShape forward, LinkShape backward) {
    change(from, to, whole(forward));
    change(to, from, whole(backward));
  }

  /** Changes some parameters of both directions. */
  public void change(ShapeChange change) {
    change(from, to, change.values());
    change(to, from, change.values());
  }

  /** Changes some parameters of the direction from {@link #from} to {@link #to}. */
  public void changeForward(ShapeChange change) {
    change(from, to, change.values());
  }

  /** Statistics of the direction from {@link #from} to {@link #to}. */
  public DirectionStatistics statistics() {
    return lab.statistics().of(from, to);
  }

  private static Map<String, String> whole(LinkShape shape) {
    Map<String, String> values = ShapeText.format(shape);
    // Parameters left out mean none here, not unchanged.
    values.putIfAbsent("jitter", "0");
    values.putIfAbsent("reorder", "0");
    values.putIfAbsent("down", "false");
    return values;
  }

  private void change(String start, String end, Map<String, String> values) {
    lab.ask(new Request(Verb.SHAPE, start, end, values));
  }
}
