package io.cascade.packets.processing;

import io.cascade.packets.header.Sequence;
import io.cascade.packets.header.TcpPacket;

/** The highest numbers that a sender has sent and its receiver has acknowledged. */
final class AckView {
  private boolean dataSeen;
  private int highestEnd;
  private boolean ackSeen;
  private int highestAck;
  private int window;

  /** Relation of a data packet to earlier numbers. */
  enum Data {
    NEW,
    /** The segment begins before the highest number that was sent. */
    RETRANSMITTED,
    /**
     * The octet before the first outstanding one (RFC 9293, section 3.8.4): nothing is
     * retransmitted.
     */
    KEEP_ALIVE
  }

  /** Relation of an acknowledgment to earlier ones. */
  enum Ack {
    NEW,
    /**
     * The duplicate of RFC 5681: data is outstanding, there is no payload, the number is the
     * highest one, the window is unchanged. A receiver with SACK may change its window for
     * out-of-order data; then the blocks identify the duplicate (RFC 6675).
     */
    DUPLICATE,
    /** An older number, a window update, or an acknowledgment with data. */
    OTHER
  }

  Data sent(TcpPacket packet) {
    int start = packet.sequence();
    int end = packet.endSequence();
    if (!dataSeen) {
      dataSeen = true;
      highestEnd = end;
      return Data.NEW;
    }
    if (!Sequence.before(start, highestEnd)) {
      highestEnd = end;
      return Data.NEW;
    }
    boolean probe = packet.payloadLength() <= 1 && ackSeen && start == highestAck - 1;
    highestEnd = Sequence.max(highestEnd, end);
    return probe ? Data.KEEP_ALIVE : Data.RETRANSMITTED;
  }

  Ack acknowledged(TcpPacket packet) {
    int number = packet.acknowledgment();
    if (!ackSeen || Sequence.after(number, highestAck)) {
      ackSeen = true;
      highestAck = number;
      window = packet.window();
      return Ack.NEW;
    }
    boolean sameWindow = packet.window() == window;
    window = packet.window();
    boolean outstanding = dataSeen && Sequence.after(highestEnd, highestAck);
    return number == highestAck
            && outstanding
            && packet.isPureAck()
            && (sameWindow || !packet.options().sackBlocks().isEmpty())
        ? Ack.DUPLICATE
        : Ack.OTHER;
  }

  int highestEnd() {
    return highestEnd;
  }

  int highestAck() {
    return highestAck;
  }
}
