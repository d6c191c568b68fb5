package io.cascade.client.forward;

import io.cascade.carriage.blocking.BlockingConnection;
import io.cascade.carriage.transport.Transport;
import io.cascade.client.transfer.coded.CodedListener;
import io.cascade.segments.SharedKey;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Accepts coded sessions of peers that hold the junctions' shared key, at the UDP port with the
 * number of the junction's TCP port. A peer without the key gets no answer.
 */
final class CodedArrivals implements AutoCloseable {
  /**
   * The dialler sends one byte without meaning first: it opens the stream at the far end, which
   * then sends the first message.
   */
  static final int OPENING_BYTES = 1;

  private final Consumer<BlockingConnection> taker;
  private final byte[] key;
  private final byte[] name;
  private @Nullable CodedListener listener;
  private boolean isClosed;

  private CodedArrivals(SharedKey shared, Consumer<BlockingConnection> taker) {
    this.taker = taker;
    this.key = CodedKey.of(shared);
    this.name = CodedKey.name(shared);
  }

  /**
   * Starts to accept sessions. Preparation runs on its own thread, since the port is not needed
   * before a path has lost packets.
   *
   * @param taker is given each connection, on a thread of its own
   * @param notes is told where the port is taken
   */
  static CodedArrivals begin(
      InetSocketAddress beside,
      SharedKey shared,
      Consumer<BlockingConnection> taker,
      Consumer<String> notes) {
    CodedArrivals arrivals = new CodedArrivals(shared, taker);
    if (Transport.EPOLL.available()) {
      Thread.ofPlatform().daemon().name("coded-arrivals").start(() -> arrivals.open(beside, notes));
    }
    return arrivals;
  }

  private synchronized void open(InetSocketAddress beside, Consumer<String> notes) {
    if (isClosed) {
      return;
    }
    try {
      listener =
          CodedListener.open(
              beside, asked -> Arrays.equals(asked, name) ? key : null, this::take, (_, _) -> {});
    } catch (IOException e) {
      notes.accept(
          "UDP port %d cannot be opened: pipes use TCP only (%s)"
              .formatted(beside.getPort(), e.getMessage()));
    }
  }

  private void take(BlockingConnection arrived) {
    Thread.ofVirtual()
        .name("accepted")
        .start(() -> {
          try {
            if (arrived.read(ByteBuffer.allocate(OPENING_BYTES)) < 0) {
              throw new EOFException("the pipe ended before it began");
            }
            taker.accept(arrived);
          } catch (IOException e) {
            arrived.reset();
          }
        });
  }

  /** Closes all sessions. */
  @Override
  public synchronized void close() {
    isClosed = true;
    CodedListener open = listener;
    if (open != null) {
      open.close();
    }
  }
}
