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
 * Bytes that the kernels of relays let a hop have under way, by what the relays said of themselves:
 * a stream's bytes leave the send buffer of the relay that dials and arrive in the receive buffer
 * of the one that accepts. Nothing is known of clients and destinations.
 *
 * <pre>
 * under way = rate · RTT / 8        bytes, and half of a buffer is data
 * </pre>
 *
 * <p>Worked value: 500 Mbit/s over 200 ms take 12.5 MB, and a buffer of 25 MB.
 */
final class HopBuffers {
  private static final int BUFFER_PER_DATA = 2;

  /** Rate with which a relay's own look at its kernel reckons where nobody says what it carries. */
  private static final double BITS_PER_SECOND_UNLESS_KNOWN = 1e9;

  private final Map<String, RegisteredRelay> relays;

  HopBuffers(Map<String, RegisteredRelay> relays) {
    this.relays = relays;
  }

  /** One end's buffer, and the setting that lets it grow. */
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

  /** The smaller one of a hop's two buffers; empty where neither end has said. */
  OptionalLong of(String from, String to) {
    return ends(from, to).stream().mapToLong(End::bytes).min();
  }

  /**
   * Describes what the buffers of a way through relays take from it, in a sentence for each hop. A
   * hop that would be no faster than the rest of the way is left out: it would gain nothing.
   *
   * @param bytes the length of the transfer, which is the most that can be under way; null for a
   *     stream without end
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
    // The smaller two sizes are Linux's own, which hardly anybody changes.
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
