package io.cascade.packets.connections;

import io.cascade.packets.connections.ConnectionState.Event;
import io.cascade.packets.header.Sequence;
import io.cascade.packets.header.TcpPacket;
import io.cascade.packets.pipes.PipeId;
import io.cascade.packets.processing.DataAckProcessor;
import org.jspecify.annotations.Nullable;

/** The record of one connection. */
public final class Connection {
  private static final long SECOND_NANOS = 1_000_000_000L;

  private final ConnectionId id;
  private final boolean openedByNear;
  private final int firstSequence;
  private final int firstEnd;
  private ConnectionState state = ConnectionState.PENDING;
  private long lastNanos;
  private long outboundOctets;
  private @Nullable DataAckProcessor processor;
  private final PeerSignals signals = new PeerSignals();
  private int repeatedSyns;
  private @Nullable PipeId openedBy;
  private @Nullable Connection contender;

  /** The next octets that the far end and the near end expect, by their acknowledgments. */
  private final Expected byFar = new Expected();

  private final Expected byNear = new Expected();

  /** What each end has sent. */
  private final Sent ofNear = new Sent();

  private final Sent ofFar = new Sent();

  /**
   * @param openedByNear whether the SYN came from the near end
   * @param syn by which it was opened; may contain data (RFC 7413)
   */
  Connection(ConnectionId id, boolean openedByNear, TcpPacket syn, long nowNanos) {
    this.id = id;
    this.openedByNear = openedByNear;
    this.firstSequence = syn.sequence();
    this.firstEnd = syn.endSequence();
    this.lastNanos = nowNanos;
  }

  public ConnectionId id() {
    return id;
  }

  public ConnectionState state() {
    return state;
  }

  public boolean openedByNear() {
    return openedByNear;
  }

  /** Whether a SYN repeats the one that made this record. */
  boolean isOpenedBy(boolean near, int sequence) {
    return openedByNear == near && firstSequence == sequence;
  }

  /**
   * Whether a SYN with ACK answers the SYN that made this record, in the other direction: it
   * acknowledges the SYN, and all, some or none of its data.
   */
  boolean isAnsweredBy(TcpPacket packet, boolean fromNear) {
    int least = firstSequence + 1;
    return fromNear != openedByNear
        && Integer.compareUnsigned(packet.acknowledgment() - least, firstEnd - least) <= 0;
  }

  /** Counts a SYN that repeats the one that made this record. */
  void repeated() {
    repeatedSyns++;
  }

  /** Keeps the record that another SYN would have made, in case that SYN is answered. */
  void contendedBy(Connection other) {
    contender = other;
  }

  /** Returns the record that replaces this one if its SYN is answered; null if there is none. */
  @Nullable Connection contender() {
    return contender;
  }

  /** Number of SYNs after the first one: it, or its answer, did not arrive. */
  public int repeatedSyns() {
    return repeatedSyns;
  }

  /** Whether the far end has repeated its SYN. */
  public boolean isReopenedByFar() {
    return !openedByNear && repeatedSyns > 0;
  }

  /** Returns the pipe of a repeated SYN; null if one SYN was enough. */
  public @Nullable PipeId openedBy() {
    return openedBy;
  }

  /** Makes unsplit packets use the pipe of a repeated SYN. */
  public void openBy(PipeId pipe) {
    openedBy = pipe;
  }

  void on(Event event) {
    state = state.on(event);
  }

  void seen(long nowNanos) {
    lastNanos = nowNanos;
  }

  /** Whether no packet passed for so long that the record is dropped. */
  boolean isSilent(long nowNanos) {
    long keptSeconds =
        switch (state) {
          case PENDING, CLOSING -> 60;
          case ACTIVE -> 900;
          case CLOSED -> 0;
        };
    return nowNanos - lastNanos >= keptSeconds * SECOND_NANOS;
  }

  /** Payload that was sent to the far side so far. */
  public long outboundOctets() {
    return outboundOctets;
  }

  public void countOutbound(int octets) {
    outboundOctets += octets;
  }

  /** Returns the processor of its packets; null until it is split. */
  public @Nullable DataAckProcessor processor() {
    return processor;
  }

  public void splitBy(DataAckProcessor chosen) {
    processor = chosen;
  }

  /** Returns the signals exchanged with a peer at the far side. */
  public PeerSignals signals() {
    return signals;
  }

  /** Records what a packet sends and acknowledges. */
  void passed(TcpPacket packet, boolean fromNear) {
    Expected ofOther = fromNear ? byFar : byNear;
    if (ofOther.isWithin(packet.endSequence(), Expected.LARGEST_WINDOW)) {
      (fromNear ? ofNear : ofFar).extend(packet.endSequence());
    }
    if (packet.ack()) {
      (fromNear ? byNear : byFar).advance(packet.acknowledgment());
    }
  }

  /**
   * Whether a packet acknowledges data that the other end has not sent. Its receiver refuses it
   * (RFC 9293, section 3.10.7.4): it is forged, or of another connection.
   */
  public boolean acknowledgesUnsent(TcpPacket packet, boolean fromNear) {
    return packet.ack() && (fromNear ? ofFar : ofNear).isBefore(packet.acknowledgment());
  }

  /**
   * Whether a reset lies where its receiver would accept it (RFC 5961), which a forged one seldom
   * does.
   */
  boolean isCredibleReset(TcpPacket packet, boolean fromNear) {
    return (fromNear ? byFar : byNear).isWithin(packet.sequence(), Expected.LARGE_WINDOW);
  }

  /** End of what was sent in one direction. */
  private static final class Sent {
    private boolean known;
    private int end;

    void extend(int number) {
      end = known ? Sequence.max(end, number) : number;
      known = true;
    }

    boolean isBefore(int number) {
      return known && Sequence.after(number, end);
    }
  }

  private static final class Expected {
    private static final int LARGE_WINDOW = 4 << 20;

    /** The largest window of RFC 7323. */
    private static final int LARGEST_WINDOW = 1 << 30;

    private boolean known;
    private int next;

    void advance(int number) {
      next = known ? Sequence.max(next, number) : number;
      known = true;
    }

    boolean isWithin(int sequence, int window) {
      return !known || Integer.compareUnsigned(sequence - next, window) < 0;
    }
  }
}
