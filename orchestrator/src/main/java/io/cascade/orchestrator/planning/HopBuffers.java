package io.cascade.orchestrator.planning;

import io.cascade.model.planning.Candidate;
import io.cascade.model.planning.HopPrediction;
import io.cascade.model.planning.Prediction;
import io.cascade.model.units.Rate;
import io.cascade.orchestrator.relays.RegisteredRelay;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Bytes in flight that the kernels of relays allow on a hop, from the limits that relays report: a
 * stream's bytes leave the send buffer of the dialling relay and arrive in the receive buffer of
 * the accepting one. The buffers of clients and destinations are unknown.
 *
 * <pre>
 * in flight = rate · RTT / 8        bytes, and half of a buffer is data
 * </pre>
 *
 * <p>Worked value: 500 Mbit/s over 200 ms take 12.5 MB, and a buffer of 25 MB.
 */
final class HopBuffers {
  private static final int BUFFER_PER_DATA = 2;

  /** Rate that a relay's own check of its kernel assumes when its capacity is not stated. */
  private static final double BITS_PER_SECOND_UNLESS_KNOWN = 1e9;

  private final Map<String, RegisteredRelay> relays;

  HopBuffers(Map<String, RegisteredRelay> relays) {
    this.relays = relays;
  }

  /** One end's buffer, and the setting that limits it. */
  private record End(String relay, long bytes, String does, String setting, String sizes) {
    boolean isTooSmallFor(double data) {
      return bytes < BUFFER_PER_DATA * data;
    }

    String fix(double data) {
      long wanted = Long.highestOneBit((long) (BUFFER_PER_DATA * data)) * 2;
      return String.format(
          Locale.ROOT,
          "%s's kernel %s %s; fix on %s: sysctl -w %s=\"%s %d\"",
          relay,
          does,
          megabytes((double) bytes / BUFFER_PER_DATA),
          relay,
          setting,
          sizes,
          wanted);
    }
  }

  /** The smaller of a hop's two buffers, in bytes; empty if neither end has reported one. */
  OptionalLong of(String from, String to) {
    return ends(from, to).stream().mapToLong(End::bytes).min();
  }

  /**
   * Describes how the buffers limit a way through relays, in a sentence for each hop. Leaves out a
   * hop that a larger buffer would not make faster than the rest of the way.
   *
   * @param bytes the length of the transfer, which is the most that can be in flight; null for an
   *     unlimited stream
   */
  List<String> heldBack(Candidate way, @Nullable Long bytes) {
    return way.prediction().map(prediction -> heldBack(prediction, bytes)).orElse(List.of());
  }

  private List<String> heldBack(Prediction prediction, @Nullable Long bytes) {
    OptionalDouble known =
        prediction.hops().stream()
            .mapToDouble(HopPrediction::withoutBuffersBitsPerSecond)
            .filter(Double::isFinite)
            .min();
    double rate = known.orElse(BITS_PER_SECOND_UNLESS_KNOWN);
    double most = bytes == null ? Double.POSITIVE_INFINITY : (double) bytes;
    List<String> found = new ArrayList<>();
    for (HopPrediction hop : prediction.hops()) {
      double data = Math.min(rate / Byte.SIZE * hop.rttSeconds(), most);
      List<String> fixes =
          ends(hop.from(), hop.to()).stream()
              .filter(end -> end.isTooSmallFor(data))
              .map(end -> end.fix(data))
              .toList();
      if (!fixes.isEmpty()) {
        found.add(
            String.format(
                Locale.ROOT,
                "Hop %s to %s needs %s under way for %s over %.0f ms and is planned with %s: %s.",
                hop.from(),
                hop.to(),
                megabytes(data),
                new Rate(rate),
                hop.rttSeconds() * 1e3,
                new Rate(hop.bitsPerSecond().likely()),
                String.join("; ", fixes)));
      }
    }
    return found;
  }

  private List<End> ends(String from, String to) {
    RegisteredRelay dialling = relays.get(from);
    RegisteredRelay accepting = relays.get(to);
    Long sends = dialling == null ? null : dialling.registration().sendBufferBytes();
    Long receives = accepting == null ? null : accepting.registration().receiveBufferBytes();
    List<End> ends = new ArrayList<>();
    // The first two sizes are Linux's defaults, which are rarely changed.
    if (sends != null) {
      ends.add(new End(from, sends, "sends", "net.ipv4.tcp_wmem", "4096 16384"));
    }
    if (receives != null) {
      ends.add(new End(to, receives, "receives", "net.ipv4.tcp_rmem", "4096 131072"));
    }
    return ends;
  }

  private static String megabytes(double bytes) {
    return String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
  }
}
