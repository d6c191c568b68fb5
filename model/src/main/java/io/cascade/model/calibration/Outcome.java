package io.cascade.model.calibration;

import io.cascade.model.units.Require;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Rate that one stream through a chain achieved, next to what was predicted of each hop.
 *
 * <p>A stream tells what a hop carries only if that hop held it back. Relays see which did: data
 * waits in the relay before the slow hop and not in the one behind it. A source that has nothing to
 * send leaves all relays empty, and a destination that does not read fills them all; neither says
 * anything of a link. But whatever arrived had passed every hop, so a hop that was predicted to be
 * slower than that was underestimated in any case.
 *
 * @param bytes that arrived
 * @param seconds from the first byte to the last
 * @param hops what the model had predicted of each hop, in bit/s, corrections left out; infinite
 *     where nothing known limits it
 * @param startSeconds what the model predicts of set-up, fill and slow start
 * @param limiting the hop that held the stream back, from 0; empty if that is not known
 */
public record Outcome(
    long bytes, double seconds, List<Double> hops, double startSeconds, OptionalInt limiting) {

  /** A stream must last this many times its start. */
  static final double LONG = 10;

  /** Fewer bytes may have never left the sockets' buffers. */
  static final long LEAST_BYTES = 8L << 20;

  static final double LEAST_SECONDS = 2;

  /** Checks the values. */
  public Outcome {
    hops = List.copyOf(hops);
    if (hops.isEmpty() || hops.stream().anyMatch(rate -> !(rate > 0))) {
      throw Require.outside("hops", hops, "rates > 0");
    }
    Require.notNegative("startSeconds", startSeconds);
    if (limiting.isPresent() && (limiting.getAsInt() < 0 || limiting.getAsInt() >= hops.size())) {
      throw Require.outside("limiting", limiting.getAsInt(), "0.." + (hops.size() - 1));
    }
  }

  /**
   * Lesson of a stream on one hop.
   *
   * @param hop from 0
   * @param ratio achieved over predicted
   */
  public record Lesson(int hop, double ratio) {}

  /**
   * Returns whether the stream was bulk: long enough that a steady rate, not the start, made its
   * time.
   */
  public boolean isBulk() {
    return bytes >= LEAST_BYTES && seconds >= LEAST_SECONDS && seconds >= LONG * startSeconds;
  }

  /** Returns the lessons on hops; none unless the stream was bulk. */
  public List<Lesson> lessons() {
    List<Lesson> lessons = new ArrayList<>();
    if (isBulk()) {
      double rate = 8 * bytes / (seconds - startSeconds);
      for (int hop = 0; hop < hops.size(); hop++) {
        double ratio = rate / hops.get(hop);
        boolean limited = limiting.isPresent() && limiting.getAsInt() == hop;
        if (ratio > 1 || (limited && Double.isFinite(hops.get(hop)))) {
          lessons.add(new Lesson(hop, ratio));
        }
      }
    }
    return lessons;
  }
}
