package io.cascade.model.cascade;

/**
 * The exact recursion, packet by packet and hop by hop: slow, and the oracle for {@link
 * DeliverySchedule}.
 *
 * <p>Packet m of a hop leaves when what it carries has arrived and the relay passes it on, one
 * spacing after packet m − 1, and one round trip after packet ⌊(m − w₁)/2⌋, whose acknowledgement
 * admits it as long as that was sent before the first loss is due. The spacing follows the window,
 * which sinks from packet to packet. The last relay of a warm chain sends nothing before it has
 * opened the connection to the destination, which takes a round trip from the first packet's
 * arrival on.
 */
public final class PacketRecursion {

  private PacketRecursion() {}

  /** Seconds from the first packet's leaving the source to the last one's arrival. */
  public static double transferSeconds(Cascade cascade, long bytes) {
    double[] previous = new double[0];
    long previousMss = 1;
    double previousWay = 0;
    double previousRtt = 0;
    for (int i = 0; i < cascade.hops().size(); i++) {
      Hop hop = cascade.hops().get(i);
      long mss = hop.mssBytes();
      int packets = Math.toIntExact(Math.ceilDiv(bytes, mss));
      WindowByPacket window = new WindowByPacket(hop, cascade.initialWindow());
      double[] leaves = new double[packets];
      for (int m = 0; m < packets; m++) {
        double time = 0;
        if (i > 0) {
          long needed = needed(cascade.relays(), Math.min((m + 1) * mss, bytes), bytes);
          time = previous[Math.toIntExact(Math.ceilDiv(needed, previousMss)) - 1] + previousWay;
          if (cascade.relays() instanceof RelayDiscipline.CutThrough cutThrough) {
            double all = previous[previous.length - 1] + previousWay;
            double filled = previous[0] + previousWay + cutThrough.startWindows() * previousRtt;
            time = Math.max(time, Math.min(all, filled));
          }
          if (cascade.setup() == SetupMode.WARM && i == cascade.hops().size() - 1) {
            time = Math.max(time, previous[0] + previousWay + hop.rttSeconds());
          }
        }
        if (m > 0) {
          time = Math.max(time, leaves[m - 1] + window.spacingBefore(m));
        }
        int admittedBy = (m - cascade.initialWindow()) / 2;
        if (m >= cascade.initialWindow() && admittedBy < window.firstLoss) {
          time = Math.max(time, leaves[admittedBy] + hop.rttSeconds());
        }
        leaves[m] = time;
      }
      boolean last = i == cascade.hops().size() - 1;
      previous = leaves;
      previousMss = mss;
      previousWay = hop.packetDelaySeconds() + (last ? 0 : cascade.relayDelaySeconds());
      previousRtt = hop.rttSeconds();
    }
    return previous[previous.length - 1] + previousWay;
  }

  private static long needed(RelayDiscipline relays, long position, long bytes) {
    return switch (relays) {
      case RelayDiscipline.CutThrough _ -> position;
      case RelayDiscipline.Chunked chunked ->
          Math.min(bytes, Math.ceilDiv(position, chunked.chunkBytes()) * chunked.chunkBytes());
      case RelayDiscipline.StoreAndForward _ -> bytes;
    };
  }

  /** The window from packet to packet, by the step that {@link Pace}'s solution is made of. */
  private static final class WindowByPacket {
    private final double rtt;
    private final double full;
    private final double steady;
    private final double decay;
    private final double firstLoss;
    private final double first;

    WindowByPacket(Hop hop, int initialWindow) {
      rtt = hop.rttSeconds();
      full = hop.unhinderedBitsPerSecond() * rtt / (8 * hop.mssBytes());
      steady = hop.steadyRate().bitsPerSecond() * rtt / (8 * hop.mssBytes());
      double p = hop.lossProbability();
      double kept = hop.model().windowKeptAtLoss().orElse(1);
      boolean reacts = kept < 1 && p > 0 && steady < full;
      firstLoss = reacts ? 1 / p : Double.POSITIVE_INFINITY;
      first = reacts ? Math.min(full, kept * (initialWindow + 1 / p)) : steady;
      decay = 2 * (1 - kept) * p;
    }

    /** Time between packet m − 1 and packet m. */
    double spacingBefore(int m) {
      if (m <= firstLoss) {
        return Double.isInfinite(firstLoss) ? rtt / steady : rtt / full;
      }
      double early = Math.max(0, firstLoss - (m - 1));
      double middle = (Math.max(m - 1, firstLoss) + m) / 2 - firstLoss;
      double square =
          steady * steady
              + Math.max(0, first * first - steady * steady) * Math.exp(-decay * middle);
      return early * rtt / full + (1 - early) * rtt / Math.sqrt(square);
    }
  }
}
