package io.cascade.packets.processing;

import io.cascade.packets.header.TcpOptions.SackBlock;
import io.cascade.packets.header.TcpPacket;
import io.cascade.packets.pipes.Pipe;
import io.cascade.packets.pipes.PipeProperties;
import io.cascade.packets.pipes.Pipes;
import io.cascade.packets.pipes.SmoothedTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Sent segments, by pipe, and those that the receiver holds according to its SACK blocks. A segment
 * that has not arrived is lost when its own pipe has delivered something that was sent later, since
 * pipes keep their order, or when it has taken longer than its pipe ever takes.
 */
final class Scoreboard {
  /** Most segments: more than a window of 16 MiB has. Beyond that the board is of no use. */
  static final int MOST_SEGMENTS = 16_384;

  /** Number of duplicate acknowledgments that make a sender retransmit (RFC 5681), plus one. */
  private static final int LEAST_BESIDE_TRY = 4;

  private static final long MARGIN_NANOS = 20_000_000L;

  private final TreeMap<Long, Segment> outstanding = new TreeMap<>();
  private final long[] deliveredOrder = new long[Pipes.MOST];

  /**
   * The latest copy over each pipe that probably arrived: later than in the order above, but less
   * certain.
   */
  private final long[] likelyOrder = new long[Pipes.MOST];

  /** The latest retransmission over each pipe that had to be sent again. */
  private final long[] doubtedOrder = new long[Pipes.MOST];

  private final SmoothedTime[] roundTrips = new SmoothedTime[Pipes.MOST];
  private final Silence[] silences = new Silence[Pipes.MOST];
  private long betweenTriesNanos;
  private final Set<Pipe> pipes = new HashSet<>();
  private @Nullable SequenceSpace space;
  private long order;
  private long acknowledged;

  /** End of everything that was sent. */
  private long sentEnd;

  /** End of the last sent data for which there was no room. */
  private long unrecordedEnd;

  private static final class Segment {
    private final long end;
    private final Pipe first;
    private final long firstOrder;
    private Pipe pipe;
    private long order;
    private long sentNanos;
    private boolean repeated;

    /** Whether one pipe carried all copies. */
    private boolean byOnePipe = true;

    private boolean held;

    /** Whether its pipe was silent when the segment was sent. */
    private boolean triesPipe;

    /**
     * Lost for good: what follows it was reported, and is not withdrawn while it is retransmitted.
     */
    private boolean lost;

    Segment(long end, Pipe pipe, long order, long sentNanos, boolean triesPipe) {
      this.end = end;
      this.first = pipe;
      this.firstOrder = order;
      this.pipe = pipe;
      this.order = order;
      this.sentNanos = sentNanos;
      this.triesPipe = triesPipe;
    }

    void repeat(Pipe by, long nextOrder, long nowNanos, boolean triesBy) {
      byOnePipe &= pipe.id().equals(by.id());
      repeated = true;
      pipe = by;
      order = nextOrder;
      sentNanos = nowNanos;
      triesPipe = triesBy;
    }
  }

  /**
   * @param betweenTriesNanos time between tries of a pipe that delivers nothing
   */
  Scoreboard(long betweenTriesNanos) {
    this.betweenTriesNanos = betweenTriesNanos;
    for (int i = 0; i < roundTrips.length; i++) {
      roundTrips[i] = new SmoothedTime();
      silences[i] = new Silence();
    }
  }

  /** Whether anything was sent. */
  boolean hasBegun() {
    return space != null;
  }

  /** Whether outstanding data had no room, so that the board has no information on it. */
  boolean overflowed() {
    return acknowledged < unrecordedEnd;
  }

  /** A data packet was sent over a pipe, for the first time or again. */
  void sent(TcpPacket packet, boolean again, Pipe pipe, long nowNanos) {
    if (space == null) {
      space = new SequenceSpace(packet.sequence());
    }
    long start = space.offset(packet.sequence());
    long end = start + packet.payloadLength();
    order++;
    pipes.add(pipe);
    boolean triesPipe = !isHeard(pipe, nowNanos);
    silences[pipe.id().number()].sent(!again, nowNanos);
    if (again) {
      for (Segment segment : from(start).values()) {
        if (segment.end > end) {
          break;
        }
        doubt(segment);
        segment.repeat(pipe, order, nowNanos, triesPipe);
      }
    }
    // A retransmission may extend beyond what was sent, after a window probe of one octet.
    long fresh = again ? Math.max(start, sentEnd) : start;
    if (fresh < end) {
      record(fresh, new Segment(end, pipe, order, nowNanos, triesPipe));
    }
    sentEnd = Math.max(sentEnd, end);
  }

  private void record(long start, Segment segment) {
    if (outstanding.size() < MOST_SEGMENTS) {
      outstanding.put(start, segment);
    } else {
      unrecordedEnd = segment.end;
    }
  }

  private Map<Long, Segment> from(long start) {
    return outstanding.tailMap(start, true);
  }

  /** The pipe that last carried the packet; null if unknown. */
  @Nullable Pipe carrier(TcpPacket packet) {
    Segment segment = segment(packet);
    return segment == null ? null : segment.pipe;
  }

  /** Records that a retransmission failed, before the packet is sent again. */
  private void doubt(Segment segment) {
    if (segment.repeated) {
      int pipe = segment.pipe.id().number();
      doubtedOrder[pipe] = Math.max(doubtedOrder[pipe], segment.order);
    }
  }

  /**
   * Whether a retransmission over the pipe had to be sent again, and nothing sent over the pipe has
   * arrived since. That proves no silence; but if packets are sent one by one, each of them would
   * need a time-out to detect it.
   */
  boolean isDoubted(Pipe pipe) {
    int number = pipe.id().number();
    return doubtedOrder[number] > likelyOrder[number];
  }

  /** Whether the pipe carried a packet's latest retransmission, and has delivered nothing since. */
  boolean fails(TcpPacket packet, Pipe pipe) {
    Segment segment = segment(packet);
    return segment != null
        && segment.repeated
        && segment.pipe.id().equals(pipe.id())
        && likelyOrder[pipe.id().number()] <= segment.order;
  }

  /** Whether a pipe has delivered something that was sent after the packet. */
  boolean hasDeliveredAfter(TcpPacket packet, Pipe pipe) {
    Segment segment = segment(packet);
    return segment != null && deliveredOrder[pipe.id().number()] > segment.order;
  }

  private @Nullable Segment segment(TcpPacket packet) {
    return space == null ? null : outstanding.get(space.offset(packet.sequence()));
  }

  /** Sets the time between tries of pipes that deliver nothing. */
  void triesEach(long nanos) {
    betweenTriesNanos = nanos;
  }

  /** Takes an acknowledgment's report of arrivals. */
  void acknowledged(int number, List<SackBlock> blocks, long nowNanos) {
    if (space == null) {
      return;
    }
    silences(nowNanos);
    long upTo = space.offset(number);
    if (upTo > acknowledged) {
      acknowledged = upTo;
      space.moveTo(upTo);
    }
    while (!outstanding.isEmpty() && outstanding.firstEntry().getValue().end <= acknowledged) {
      arrived(outstanding.pollFirstEntry().getValue(), nowNanos);
    }
    for (SackBlock block : blocks) {
      long end = space.offset(block.end());
      for (Segment segment : from(space.offset(block.start())).values()) {
        if (segment.end > end) {
          break;
        }
        arrived(segment, nowNanos);
      }
    }
  }

  /** Detects silences, before the data that proves them is discarded. */
  private void silences(long nowNanos) {
    for (Pipe pipe : pipes) {
      boolean _ = isHeard(pipe, nowNanos);
    }
  }

  private void arrived(Segment segment, long nowNanos) {
    if (segment.held) {
      return;
    }
    segment.held = true;
    silences[segment.first.id().number()].answered();
    int pipe = segment.pipe.id().number();
    if (segment.byOnePipe) {
      deliveredOrder[pipe] = Math.max(deliveredOrder[pipe], segment.firstOrder);
      likelyOrder[pipe] = Math.max(likelyOrder[pipe], segment.firstOrder);
    }
    if (!segment.repeated) { // Of a retransmitted segment it is unknown which copy arrived.
      roundTrips[pipe].sample(nowNanos - segment.sentNanos);
    }
    boolean ofLast = mayAnswerLastCopy(segment, nowNanos);
    if (ofLast) {
      likelyOrder[pipe] = Math.max(likelyOrder[pipe], segment.order);
    }
    if (ofLast || segment.byOnePipe) {
      silences[pipe].broken(nowNanos);
      segment.pipe.trust();
    }
  }

  /**
   * Whether the answer arrives when that to the latest copy is due. It may still be to an earlier
   * copy, over another pipe: then the silence is detected again.
   */
  private boolean mayAnswerLastCopy(Segment segment, long nowNanos) {
    long nanos = nowNanos - segment.sentNanos;
    return nanos >= segment.pipe.properties().roundTripNanos() / 2
        && nanos <= longest(segment.pipe) + MARGIN_NANOS;
  }

  /** Whether the block reports a duplicate arrival (D-SACK, RFC 2883). */
  boolean isBelowAcknowledged(SackBlock block) {
    return space != null && space.offset(block.start()) < acknowledged;
  }

  /**
   * Returns what the receiver holds after lost gaps, the highest first; what follows a gap that may
   * still be filled is left out. So the receiver would have answered after a combiner. Octets
   * without a record are in no block.
   */
  List<SackBlock> visibleBlocks(long nowNanos) {
    List<SackBlock> blocks = new ArrayList<>();
    if (space == null) {
      return blocks;
    }
    long start = -1;
    long end = -1;
    for (Map.Entry<Long, Segment> entry : outstanding.entrySet()) {
      Segment segment = entry.getValue();
      if (start >= 0 && !(segment.held && entry.getKey() == end)) {
        blocks.add(new SackBlock(space.sequence(start), space.sequence(end)));
        start = -1;
      }
      if (segment.held) {
        start = start < 0 ? entry.getKey() : start;
        end = segment.end;
      } else if (!isLost(segment, nowNanos)) {
        break;
      }
    }
    if (start >= 0) {
      blocks.add(new SackBlock(space.sequence(start), space.sequence(end)));
    }
    Collections.reverse(blocks);
    return blocks;
  }

  private boolean isLost(Segment segment, long nowNanos) {
    segment.lost |=
        segment.order < deliveredOrder[segment.pipe.id().number()]
            || nowNanos >= lossNanos(segment);
    return segment.lost;
  }

  /**
   * Returns when the first gap that hides something counts as lost by time; {@link
   * DataAckProcessor#NEVER} if there is none.
   */
  long nextLossNanos() {
    Segment gap = null;
    for (Segment segment : outstanding.values()) {
      if (gap == null && !segment.held && !segment.lost) {
        gap = segment;
      } else if (gap != null && segment.held) {
        return lossNanos(gap);
      }
    }
    return DataAckProcessor.NEVER;
  }

  private long lossNanos(Segment segment) {
    return segment.sentNanos + patienceNanos(segment) + MARGIN_NANOS;
  }

  /**
   * Returns how long to wait for a segment. Nothing queues in a silent pipe: a segment that tries
   * it arrives within a round trip, or else the sender should be told before its time-out.
   */
  private long patienceNanos(Segment segment) {
    return segment.triesPipe ? segment.pipe.properties().roundTripNanos() : longest(segment.pipe);
  }

  /**
   * Whether a pipe may carry new data: it delivers, or has not been tried for a while and enough
   * else is in flight that the sender notices the loss. Retransmissions give no information on it.
   */
  boolean mayCarry(Pipe pipe, long nowNanos) {
    Silence silence = silences[pipe.id().number()];
    return isHeard(pipe, nowNanos)
        || (silence.isTriedAgain(betweenTriesNanos, nowNanos)
            && outstanding.size() >= LEAST_BESIDE_TRY);
  }

  /** Whether the last data sent over a pipe has arrived, or may still be in flight. */
  boolean isHeard(Pipe pipe, long nowNanos) {
    boolean silent =
        silences[pipe.id().number()].isLongerThan(longest(pipe) + MARGIN_NANOS, nowNanos);
    if (silent) {
      pipe.suspect(nowNanos); // For packets that other connections do not split yet.
    }
    return !silent;
  }

  /** Round trip of a pipe with a full queue, assumed until something has arrived over it. */
  private long longest(Pipe pipe) {
    SmoothedTime measured = roundTrips[pipe.id().number()];
    PipeProperties given = pipe.properties();
    long queueNanos = Math.round(given.queueBytes() * 8e9 / given.bitsPerSecond());
    return measured.sampled() ? measured.bound() : given.roundTripNanos() + queueNanos;
  }
}
