package io.cascade.coding.datagram;

import io.cascade.coding.session.CodedSession;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * Datagrams as a session's stream of bytes, all of them in order: the mode of the TCP/NC tunnel.
 * Each is {@code length u16 ‖ bytes}. Unacknowledged datagrams count as buffered, as in a TCP send
 * buffer, and datagrams offered while the buffer is full are dropped.
 */
public final class OrderedDatagrams {
  /** The source's buffer: 64 packets of a window without scaling, and a link's queue of 100. */
  public static final int USUAL_PACKETS = 164;

  private static final int LENGTH_BYTES = 2;
  private static final int MOST_BYTES = 65_535;

  private final CodedSession session;
  private final int mostPackets;
  private final ArrayDeque<ByteBuffer> waiting = new ArrayDeque<>();
  private final ByteBuffer incoming = ByteBuffer.allocate(LENGTH_BYTES + MOST_BYTES);
  private long sent;
  private long received;

  /**
   * @param mostPackets packets that may wait or be unacknowledged; a symbol counts as one
   */
  public OrderedDatagrams(CodedSession session, int mostPackets) {
    this.session = session;
    this.mostPackets = mostPackets;
  }

  /**
   * Takes a datagram.
   *
   * @param bytes 1 to 65,535
   * @return whether there was room; otherwise it is dropped
   */
  public boolean offer(byte[] bytes) {
    if (waiting.size() + session.outstandingSymbols() >= mostPackets || bytes.length > MOST_BYTES) {
      return false;
    }
    ByteBuffer framed = ByteBuffer.allocate(LENGTH_BYTES + bytes.length);
    framed.putShort((short) bytes.length).put(bytes).flip();
    waiting.add(framed);
    write();
    return true;
  }

  /** Passes to the session what it has room for. */
  public void write() {
    while (!waiting.isEmpty()) {
      ByteBuffer first = waiting.peek();
      session.offer(first);
      if (first.hasRemaining()) {
        return;
      }
      waiting.remove();
      sent++;
    }
  }

  /** Passes on what has arrived in order. */
  public void read(long nowNanos, DatagramSink sink) {
    while (session.read(incoming, nowNanos) > 0) {
      incoming.flip();
      while (incoming.remaining() >= LENGTH_BYTES) {
        int length = incoming.getShort(incoming.position()) & 0xffff;
        if (incoming.remaining() < LENGTH_BYTES + length) {
          break;
        }
        incoming.getShort();
        byte[] bytes = new byte[length];
        incoming.get(bytes);
        received++;
        sink.arrived(bytes);
      }
      incoming.compact();
    }
  }

  public long sent() {
    return sent;
  }

  public long received() {
    return received;
  }
}
