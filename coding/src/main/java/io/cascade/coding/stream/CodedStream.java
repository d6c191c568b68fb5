package io.cascade.coding.stream;

import io.cascade.coding.session.ReceivingState;
import io.cascade.coding.session.SendingState;
import io.cascade.coding.wire.Malformed;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One stream of a session: bytes in order in each direction, directions that end separately, and a
 * reset that ends both. A reset follows the bytes sent before it and drops the others.
 */
public final class CodedStream {
  /** Result of {@link #resetCode} before a reset has arrived. */
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

  /** This stream's part of the session's counts: memory, missing bytes, ranges after them. */
  long countedBytes;

  long countedMissing;
  int countedRanges;

  /** Whether the stream is queued among those that have something to send. */
  boolean isQueued;

  /** Whether the stream is queued among those that the application must check. */
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

  /** Object that the application attaches to the stream. */
  public @Nullable Object attachment() {
    return attachment;
  }

  public void attach(@Nullable Object value) {
    attachment = value;
  }

  public SendingState sending() {
    return sender.state();
  }

  /** RESET once all bytes before the reset were read. */
  public ReceivingState receiving() {
    return receiver.state();
  }

  /** Code of the peer's reset, or {@link #NO_CODE}. */
  public long resetCode() {
    return resetCode;
  }

  /** Number of bytes that {@link #offer} would accept now. */
  public int room() {
    return sender.room();
  }

  /** Accepts bytes to send; returns their number. */
  public int offer(ByteBuffer data) {
    int taken = sender.offer(data);
    streams.count(this);
    streams.schedule(this);
    return taken;
  }

  /** Ends the output. */
  public void end() {
    sender.end();
    streams.schedule(this);
  }

  /**
   * Resets it in both directions, unless both are complete.
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

  /** Number of bytes that may be read now. */
  public long readable() {
    return receiver.readable();
  }

  /**
   * Copies bytes that are next in order; returns their number. 0 also at the end: {@link
   * #receiving} tells.
   */
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

  /** Bytes that it holds for both directions. */
  public long heldBytes() {
    return sender.waiting() + receiver.readable();
  }

  /** Whether nothing can change any longer. */
  public boolean isOver() {
    boolean sent = sending() == SendingState.FINISHED || sending() == SendingState.RESET;
    boolean received = receiving() == ReceivingState.ENDED || receiving() == ReceivingState.RESET;
    return sent && received && !resetWaits;
  }

  boolean isReady() {
    return resetWaits || receiver.creditWaits() || sender.isReady();
  }

  /** Writes pending frames into a symbol, as far as there is room. */
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

  /** Bytes of memory that it occupies. */
  long memoryBytes() {
    return (long) sender.memoryBytes() + receiver.memoryBytes();
  }

  /** Number of bytes that have not arrived, below the highest that has. */
  long missingBytes() {
    return receiver.missing();
  }

  /** Number of ranges of bytes that have arrived after missing ones. */
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
