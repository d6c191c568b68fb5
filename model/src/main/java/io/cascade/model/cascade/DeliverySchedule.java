package io.cascade.model.cascade;

import java.util.Arrays;
import java.util.List;

/**
 * The times at which given positions of a transfer leave each hop, computed hop by hop on a thinned
 * set of positions.
 *
 * <p>The exact recursion has one step per packet and hop: packet m leaves when it has arrived, when
 * the packet before it has left one spacing earlier, and, while the window grows, one round trip
 * after the packet whose acknowledgement admits it left:
 *
 * <pre>
 * D(m) = max( A(m),  D(m−1) + s,  D(⌊(m−w₁)/2⌋) + RTT if m ≥ w₁ )
 * A of the next hop (m) = D(m) + f
 * </pre>
 *
 * <p>s is the hop's {@link Pace} at that packet, w₁ the initial window; every acknowledgement
 * admits two packets, so packet m waits for that of ⌊(m−w₁)/2⌋. Once (m+w₁)/2 packets fill the link
 * for a round trip, or the acknowledged packet is past the first loss, the third term no longer
 * matters and the hop runs at its pace. (A sender that is not limited by its window does not grow
 * it, RFC 7661; that is left out, so a starved hop's later burst is slightly optimistic.)
 *
 * <p>Between the moments at which a window opens D is smooth except at few places. It is therefore
 * enough to follow every packet at the beginning, then the first and last packet of every window's
 * round, those about the first loss, and positions that grow geometrically: some hundreds for any
 * length, where 10 GiB are 7 million packets. A test compares this with the exact recursion.
 */
final class DeliverySchedule {

  private static final int EVERY_PACKET_UNTIL = 128;
  private static final int POSITIONS_PER_OCTAVE = 24;

  private final double firstArrivalSeconds;
  private final double lastArrivalSeconds;
  private final double sourceDoneSeconds;

  private DeliverySchedule(
      double firstArrivalSeconds, double lastArrivalSeconds, double sourceDoneSeconds) {
    this.firstArrivalSeconds = firstArrivalSeconds;
    this.lastArrivalSeconds = lastArrivalSeconds;
    this.sourceDoneSeconds = sourceDoneSeconds;
  }

  /** Follows {@code bytes} through every hop; the cascade's rate must not be 0. */
  static DeliverySchedule of(Cascade cascade, long bytes) {
    List<Hop> hops = cascade.hops();
    List<Pace> paces = hops.stream().map(hop -> Pace.of(hop, cascade.initialWindow())).toList();
    long[] positions = positions(cascade, paces, bytes);
    int last = positions.length - 1;
    double[] arrivals = new double[positions.length];
    double[] departures = new double[positions.length];
    double sourceDone = 0;
    for (int i = 0; i < hops.size(); i++) {
      Hop hop = hops.get(i);
      Supply supply = i == 0 ? Supply.COMPLETE : supply(cascade, i, bytes, arrivals);
      depart(hop, paces.get(i), cascade.initialWindow(), supply, positions, arrivals, departures);
      if (i == 0) {
        sourceDone = departures[last];
      }
      double way =
          hop.packetDelaySeconds() + (i < hops.size() - 1 ? cascade.relayDelaySeconds() : 0);
      for (int g = 0; g <= last; g++) {
        arrivals[g] = departures[g] + way;
      }
    }
    return new DeliverySchedule(arrivals[0], arrivals[last], sourceDone);
  }

  double firstArrivalSeconds() {
    return firstArrivalSeconds;
  }

  double lastArrivalSeconds() {
    return lastArrivalSeconds;
  }

  /** The time at which the source's last packet leaves it. */
  double sourceDoneSeconds() {
    return sourceDoneSeconds;
  }

  private static void depart(
      Hop hop,
      Pace pace,
      int initialWindow,
      Supply supply,
      long[] positions,
      double[] arrivals,
      double[] departures) {
    long mss = hop.mssBytes();
    long end = positions[positions.length - 1];
    boolean windowGrows = true;
    int needed = 0;
    int acknowledged = 0;
    long packetBefore = 0;
    for (int g = 0; g < positions.length; g++) {
      long packet = Math.ceilDiv(positions[g], mss) - 1;
      long mustHaveArrived = supply.neededFor(roundUp(positions[g], mss), end);
      needed = indexAtOrAfter(positions, mustHaveArrived, needed);
      double time =
          Math.max(supply.startSeconds(), valueAt(positions, arrivals, mustHaveArrived, needed));
      if (g > 0) {
        time = Math.max(time, departures[g - 1] + pace.secondsBetween(packetBefore, packet));
      }
      if (windowGrows && packet >= initialWindow) {
        long admittedBy = (packet - initialWindow) / 2;
        windowGrows =
            (packet - admittedBy) * pace.fullSpacingSeconds() < hop.rttSeconds()
                && admittedBy < pace.firstLoss();
        if (windowGrows) {
          long position = (admittedBy + 1) * mss;
          acknowledged = indexAtOrAfter(positions, position, acknowledged);
          time =
              Math.max(
                  time, valueAt(positions, departures, position, acknowledged) + hop.rttSeconds());
        }
      }
      departures[g] = time;
      packetBefore = packet;
    }
  }

  private static Supply supply(Cascade cascade, int hop, long bytes, double[] arrivals) {
    Hop before = cascade.hops().get(hop - 1);
    double open = arrivals[0] + cascade.openingSeconds(hop);
    return switch (cascade.relays()) {
      case RelayDiscipline.CutThrough(double startWindows) ->
          new Supply(
              Math.max(
                  open,
                  Math.min(
                      arrivals[0] + startWindows * before.rttSeconds(),
                      arrivals[arrivals.length - 1])),
              1,
              before.mssBytes());
      case RelayDiscipline.Chunked(long chunkBytes) ->
          new Supply(open, Math.min(chunkBytes, bytes), before.mssBytes());
      case RelayDiscipline.StoreAndForward() -> new Supply(open, bytes, before.mssBytes());
    };
  }

  /**
   * Data for which a hop's sender waits.
   *
   * @param startSeconds before this nothing leaves
   * @param chunkBytes only whole chunks are passed on
   * @param packetBytes payload in which they arrive
   */
  private record Supply(double startSeconds, long chunkBytes, long packetBytes) {
    static final Supply COMPLETE = new Supply(0, 1, 1);

    /** The position that must have arrived so that everything up to {@code position} may leave. */
    long neededFor(long position, long end) {
      return Math.min(end, roundUp(roundUp(position, chunkBytes), packetBytes));
    }
  }

  /** The first index, from {@code from} on, whose position is not below {@code position}. */
  private static int indexAtOrAfter(long[] positions, long position, int from) {
    int index = from;
    while (positions[index] < position) {
      index++;
    }
    return index;
  }

  private static double valueAt(long[] positions, double[] values, long position, int atOrAfter) {
    if (atOrAfter == 0 || positions[atOrAfter] == position) {
      return values[atOrAfter];
    }
    long before = positions[atOrAfter - 1];
    double share = (double) (position - before) / (positions[atOrAfter] - before);
    return values[atOrAfter - 1] + share * (values[atOrAfter] - values[atOrAfter - 1]);
  }

  private static long roundUp(long value, long multiple) {
    return Math.ceilDiv(value, multiple) * multiple;
  }

  /**
   * The last byte of every packet to be followed, ascending, ending with the transfer's last byte.
   */
  private static long[] positions(Cascade cascade, List<Pace> paces, long bytes) {
    PositionList list = new PositionList(bytes);
    long[] sizes = cascade.hops().stream().mapToLong(Hop::mssBytes).distinct().toArray();
    for (long mss : sizes) {
      for (int packet = 1; packet <= EVERY_PACKET_UNTIL; packet++) {
        list.add(packet * mss);
      }
      double growth = Math.pow(2, 1.0 / POSITIONS_PER_OCTAVE);
      for (double packet = EVERY_PACKET_UNTIL; packet * mss < bytes; packet *= growth) {
        addAround(list, Math.round(packet) * mss, mss, cascade.relays());
      }
      double window = cascade.initialWindow();
      for (double sent = window; sent * mss < bytes; sent += window) {
        list.add((long) (sent * mss));
        list.add((long) ((sent + 1) * mss));
        window *= 2;
      }
    }
    for (int i = 0; i < paces.size(); i++) {
      double firstLoss = paces.get(i).firstLoss();
      long mss = cascade.hops().get(i).mssBytes();
      if (firstLoss * mss < bytes) {
        long packets = (long) firstLoss;
        for (long packet = packets; packet <= packets + 2; packet++) {
          list.add(packet * mss);
        }
      }
    }
    addAround(list, bytes, sizes[0], cascade.relays());
    return list.ascending();
  }

  /**
   * Adds a position; if relays forward in chunks, also the first and last packet of the chunk that
   * contains it.
   */
  private static void addAround(
      PositionList list, long position, long mss, RelayDiscipline relays) {
    list.add(position);
    if (relays instanceof RelayDiscipline.Chunked chunked) {
      long chunk = Math.min(chunked.chunkBytes(), list.bytes);
      long chunkEnd = roundUp(position, chunk);
      for (long boundary : new long[] {chunkEnd - chunk, chunkEnd}) {
        list.add(boundary);
        list.add(roundUp(boundary, mss));
        list.add(roundUp(boundary, mss) + mss);
      }
    }
  }

  /** Collects positions within the transfer. */
  private static final class PositionList {
    private final long bytes;
    private long[] values = new long[512];
    private int size;

    PositionList(long bytes) {
      this.bytes = bytes;
      add(bytes);
    }

    void add(long position) {
      if (position <= 0 || position > bytes) {
        return;
      }
      if (size == values.length) {
        values = Arrays.copyOf(values, 2 * size);
      }
      values[size++] = position;
    }

    long[] ascending() {
      long[] sorted = Arrays.copyOf(values, size);
      Arrays.sort(sorted);
      int distinct = 0;
      for (int i = 0; i < sorted.length; i++) {
        if (i == 0 || sorted[i] != sorted[i - 1]) {
          sorted[distinct++] = sorted[i];
        }
      }
      return Arrays.copyOf(sorted, distinct);
    }
  }
}
