package io.cascade.coding.stream;

import io.cascade.coding.session.ReceivingState;
import io.cascade.coding.session.SendingState;
import io.cascade.coding.wire.Malformed;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One stream of a session: bytes in order each way, directions that end separately, and a reset
 * that breaks off both. A reset follows what was sent before it and drops what was not.
 */
public final class CodedStream {
  /** Answer of {@link #resetCode}: no reset has arrived. */
  public static final long NO_CODE = -1;

  private final Streams streams;
  private final long id;
  private final StreamSender sender;
  private final StreamReceiver receiver;
  private long resetCode = NO_CODE;
  private long ownCode;
  private boolean resetWaits;
  private boolean resetSent;
  private @Nullable Object attachment;

  /** Share of this stream in the session's count: memory, missing bytes, ranges behind them. */
  long countedBytes;

  long countedMissing;
  int countedRanges;

  /** Whether the stream is queued among those that have something to send. */
  boolean isQueued;

  /** Whether the stream is queued among those at which the application is to look. */
  boolean isChanged;

  CodedStream(Streams streams, long id, CodedStreamLimits limits) {
    this.streams = streams;
    this.id = id;
    this.sender = new StreamSender(limits);
    this.receiver = new StreamReceiver(limits);
  }

  public long id() {
    return id;
  }

  /** Object that the application keeps with the stream. */
  public @Nullable Object attachment() {
    return attachment;
  }

  public void attach(@Nullable Object value) {
    attachment = value;
  }

  public SendingState sending() {
    return sender.state();
  }

  /** RESET once everything that came before the reset was read. */
  public ReceivingState receiving() {
    return receiver.state();
  }

  /** Code of the peer's reset, or {@link #NO_CODE}. */
  public long resetCode() {
    return resetCode;
  }

  /** Bytes that {@link #offer} would take now. */
  public int room() {
    return sender.room();
  }

  /** Takes bytes to send; how many. */
  public int offer(ByteBuffer data) {
    int taken = sender.offer(data);
    streams.count(this);
    streams.schedule(this);
    return taken;
  }

  /** Says that no more bytes come. */
  public void end() {
    sender.end();
    streams.schedule(this);
  }

  /**
   * Breaks it off in both directions, unless both are complete.
   *
   * @param code for the peer's application, 0 to 2^62 − 1
   */
  public void reset(long code) {
    if (isOver()) {
      return;
    }
    boolean peerKnows = resetCode != NO_CODE;
    sender.move(SendingState.Event.RESET);
    receiver.reset();
    streams.count(this);
    if (!peerKnows && !resetSent) {
      resetWaits = true;
      ownCode = code;
    }
    streams.schedule(this);
    streams.closeIfOver(this);
  }

  /** Bytes that may be read now. */
  public long readable() {
    return receiver.readable();
  }

  /** Copies bytes that are next in order; how many. 0 also at the end: {@link #receiving} tells. */
  public int read(ByteBuffer into, long nowNanos) {
    int copied = receiver.read(into, nowNanos, streams.roundTripNanos());
    if (copied > 0) {
      streams.count(this);
      streams.schedule(this);
      streams.closeIfOver(this);
    }
    return copied;
  }

  /** Whether the peer has everything that was offered. */
  public boolean isDelivered() {
    return sender.waiting() == 0 && sender.lastSymbol() < streams.deliveredBelow();
  }

  /** Bytes that it holds for either direction. */
  public long heldBytes() {
    return sender.waiting() + receiver.readable();
  }

  /** Whether nothing more can happen to it. */
  public boolean isOver() {
    boolean sent = sending() == SendingState.FINISHED || sending() == SendingState.RESET;
    boolean received = receiving() == ReceivingState.ENDED || receiving() == ReceivingState.RESET;
    return sent && received && !resetWaits;
  }

  boolean isReady() {
    return resetWaits || receiver.creditWaits() || sender.isReady();
  }

  /** Writes what it has to say into a symbol, as far as there is room. */
  void write(long symbol, ByteBuffer into) {
    if (resetWaits && into.remaining() >= StreamFrame.MOST_CONTROL_BYTES) {
      resetWaits = false;
      resetSent = true;
      StreamFrame.writeReset(into, id, ownCode, sender.sent());
    }
    if (receiver.creditWaits() && into.remaining() >= StreamFrame.MOST_CONTROL_BYTES) {
      StreamFrame.writeMost(into, id, receiver.tellCredit());
    }
    boolean before = sender.isEndSent();
    if (sender.isReady() && sender.write(id, symbol, into)) {
      streams.count(this);
      streams.roomMade(this);
      if (!before && sender.isEndSent()) {
        streams.endSent(this);
      }
    }
  }

  /** Bytes of memory that it takes. */
  long memoryBytes() {
    return (long) sender.memoryBytes() + receiver.memoryBytes();
  }

  /** Bytes that have not come, below the furthest that have. */
  long missingBytes() {
    return receiver.missing();
  }

  /** Ranges of bytes that have come behind missing ones. */
  int ranges() {
    return receiver.ranges();
  }

  long lastSymbol() {
    return sender.lastSymbol();
  }

  void endDelivered() {
    sender.move(SendingState.Event.ALL_ARRIVED);
  }

  void arrived(StreamFrame frame) throws Malformed {
    switch (frame) {
      case StreamFrame.Data data -> receiver.arrived(data);
      case StreamFrame.Most most -> sender.credit(most.limit());
      case StreamFrame.Reset reset -> {
        resetCode = reset.code();
        resetWaits = false;
        sender.move(SendingState.Event.RESET);
        receiver.resetArrived(reset.finalSize());
      }
    }
  }
}
