package io.cascade.model.cascade;

/**
 * The exact recursion, packet by packet and hop by hop: slow, and the oracle for {@link
 * DeliverySchedule}.
 *
 * <p>Packet m of a hop leaves when what it carries has arrived and the relay passes it on, one
 * spacing after packet m − 1, and one round trip after packet ⌊(m − w₁)/2⌋, whose acknowledgement
 * admits it.
 */
public final class PacketRecursion {

  private PacketRecursion() {}

  /** From the first packet's leaving the source to the last one's arrival, in seconds. */
  public static double transferSeconds(Cascade cascade, long bytes) {
    double[] previous = new double[0];
    long previousMss = 1;
    double previousWay = 0;
    double previousRtt = 0;
    for (int i = 0; i < cascade.hops().size(); i++) {
      Hop hop = cascade.hops().get(i);
      long mss = hop.mssBytes();
      int packets = Math.toIntExact(Math.ceilDiv(bytes, mss));
      double spacing = 8 * mss / hop.steadyRate().bitsPerSecond();
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
        }
        if (m > 0) {
          time = Math.max(time, leaves[m - 1] + spacing);
        }
        if (m >= cascade.initialWindow()) {
          time = Math.max(time, leaves[(m - cascade.initialWindow()) / 2] + hop.rttSeconds());
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
}
