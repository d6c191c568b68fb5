package io.cascade.model.calibration;

import io.cascade.model.units.Require;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Rate that one stream through a chain achieved, with the predictions of each hop.
 *
 * <p>A stream shows what a hop carries only if that hop limited it. Relays see which did: data
 * waits in the relay before the slow hop and not in the one after it. A source without data leaves
 * all relays empty, and a destination that does not read fills them all; neither says anything of a
 * link. But all bytes that arrived passed every hop, so a hop that was predicted to be slower than
 * that was underestimated in any case.
 *
 * @param bytes that arrived
 * @param seconds from the first byte to the last
 * @param hops the model's prediction for each hop, in bit/s, without corrections; infinite if
 *     nothing known limits it
 * @param startSeconds the model's prediction of set-up, fill and slow start
 * @param limiting the hop that limited the stream, from 0; empty if unknown
 */
public record Outcome(
    long bytes, double seconds, List<Double> hops, double startSeconds, OptionalInt limiting) {

  /** A stream must last this many times its start. */
  static final double LONG = 10;

  /** Least bytes of a stream; fewer may not have left the sockets' buffers. */
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
   * What a stream shows of the model's error on one hop.
   *
   * @param hop from 0
   * @param ratio achieved over predicted
   */
  public record Lesson(int hop, double ratio) {}

  /**
   * Whether the stream was bulk: long enough that its steady rate, and not its start, determined
   * its time.
   */
  public boolean isBulk() {
    return bytes >= LEAST_BYTES && seconds >= LEAST_SECONDS && seconds >= LONG * startSeconds;
  }

  /** The lessons on hops; empty unless the stream was bulk. */
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
