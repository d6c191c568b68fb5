package io.cascade.coding.stream;

import io.cascade.coding.session.SendingState;
import java.nio.ByteBuffer;

/** The outgoing half of a stream: waiting bytes, credit, and the end. */
final class StreamSender {
  private static final long NO_SYMBOL = -1;

  private final ByteQueue queue;
  private SendingState state = SendingState.OPEN;
  private long sent;
  private long credit;
  private boolean endSent;
  private long lastSymbol = NO_SYMBOL;

  StreamSender(CodedStreamLimits limits) {
    this.queue = new ByteQueue(limits.sendBytes(), limits.memory());
    this.credit = limits.firstCreditBytes();
  }

  SendingState state() {
    return state;
  }

  int room() {
    return state == SendingState.OPEN ? queue.room() : 0;
  }

  int offer(ByteBuffer data) {
    return state == SendingState.OPEN ? queue.add(data) : 0;
  }

  void end() {
    move(SendingState.Event.END);
  }

  void move(SendingState.Event event) {
    state = state.after(event);
    if (state == SendingState.RESET) {
      queue.clear();
    }
  }

  /** Number of bytes that wait. */
  int waiting() {
    return queue.size();
  }

  int memoryBytes() {
    return queue.memoryBytes();
  }

  /** Number of bytes that were sent. */
  long sent() {
    return sent;
  }

  void credit(long limit) {
    credit = Math.max(credit, limit);
  }

  /** Whether there is something that may be sent. */
  boolean isReady() {
    return switch (state) {
      case OPEN -> queue.size() > 0 && sent < credit;
      case ENDING -> !endSent && (queue.size() == 0 || sent < credit);
      case FINISHED, RESET -> false;
    };
  }

  /**
   * Writes a frame with as much as fits and is allowed.
   *
   * @return whether one was written
   */
  boolean write(long stream, long symbol, ByteBuffer into) {
    int space = into.remaining() - StreamFrame.headBytes(stream, sent);
    int bytes = (int) Math.min(Math.min(space, queue.size()), credit - sent);
    boolean last = state == SendingState.ENDING && bytes == queue.size();
    if (space < 0 || (bytes <= 0 && !last)) {
      return false;
    }
    StreamFrame.writeHead(into, stream, sent, bytes, last);
    queue.remove(into, bytes);
    sent += bytes;
    endSent = last;
    lastSymbol = symbol;
    return true;
  }

  boolean isEndSent() {
    return endSent;
  }

  /** Symbol with the last of the sent bytes, or −1. */
  long lastSymbol() {
    return lastSymbol;
  }
}
