package io.cascade.carriage.coded;

import io.cascade.carriage.transport.DatagramCarrier;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * An address other than the peer's from which a datagram of a session arrived at the hop port:
 * perhaps the peer's new one. Answers are sent from the port; they are few, and none is longer than
 * the datagram that it answers.
 */
final class StrayPath implements DatagramCarrier {
  private static final int MOST_BYTES = 2_048;

  private final InetSocketAddress address;
  private final CodedAcceptor.Replies replies;
  private final ByteBuffer buffer = ByteBuffer.allocate(MOST_BYTES);

  StrayPath(InetSocketAddress address, CodedAcceptor.Replies replies) {
    this.address = address;
    this.replies = replies;
  }

  InetSocketAddress address() {
    return address;
  }

  @Override
  public boolean hasRoom(int bytes) {
    return bytes <= MOST_BYTES;
  }

  @Override
  public ByteBuffer buffer() {
    return buffer.clear();
  }

  @Override
  public void add(int length) {
    replies.send(ByteBuffer.wrap(buffer.array(), 0, length), address);
  }

  @Override
  public boolean flush() {
    return true;
  }
}
