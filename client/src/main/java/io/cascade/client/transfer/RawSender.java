package io.cascade.client.transfer;

import io.cascade.client.measure.ConnectionAccount;
import io.cascade.client.transfer.connection.Channels;
import io.cascade.client.transfer.connection.RateLimit;
import io.cascade.client.transfer.connection.StallGuard;
import io.cascade.client.transfer.connection.TcpConnection;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.content.DigestLane;
import io.cascade.client.transfer.wire.Block;
import io.cascade.client.transfer.wire.TransferHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.time.Duration;

/**
 * Sends plain bytes to any TCP server, reports how many its kernel has acknowledged, half-closes,
 * and waits until the server ends its side too. TCP gives no further evidence that the server has
 * processed them.
 */
public final class RawSender {
  private final TcpConnection connection;
  private final Duration patience;
  private final TransferListener listener;
  private final RateLimit limit;

  public RawSender(
      TcpConnection connection, Duration patience, TransferListener listener, RateLimit limit) {
    this.limit = limit;
    this.connection = connection;
    this.patience = patience;
    this.listener = listener;
  }

  /**
   * @param header describes the content to the listener; nothing of it is sent
   * @throws TransferFailed where the connection failed, or was reset instead of ended
   */
  public Sent send(TransferHeader header, ReadableByteChannel content) throws TransferFailed {
    long bytes = 0;
    long start = System.nanoTime();
    connection.begin(start);
    try (connection;
        StallGuard guard = new StallGuard(connection, patience);
        DigestLane lane = new DigestLane(Block.MAX_BYTES)) {
      listener.started(header);
      Thread discarding = Thread.ofVirtual().start(() -> discard(guard));
      try {
        for (DigestLane.Slot slot = lane.take();
            read(header, content, slot.buffer) >= 0;
            slot = lane.take()) {
          ByteBuffer buffer = slot.buffer.flip();
          lane.digest(slot, buffer.duplicate());
          bytes += buffer.remaining();
          while (buffer.hasRemaining()) {
            limit.write(connection, buffer);
            guard.moved();
          }
          connection.look(System.nanoTime(), ConnectionAccount.NOT_TOLD);
          lane.release(slot);
          listener.moved(Math.min(bytes, connection.arrivedBytes(bytes)));
        }
        connection.shutdownOutput();
        discarding.join();
        IOException broken = failure;
        if (broken != null) {
          throw broken;
        }
        listener.moved(bytes);
      } catch (TransferFailed e) {
        throw e;
      } catch (IOException e) {
        throw new TransferFailed(
            "not delivered: %s after %d bytes were sent".formatted(Channels.fate(e, guard), bytes),
            e);
      }
      Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
      return new Sent(bytes, bytes, lane.finish(), elapsed, connection.account());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TransferFailed("not delivered: interrupted after " + bytes + " bytes", e);
    } catch (TransferFailed e) {
      throw e;
    } catch (IOException e) {
      throw new TransferFailed("not delivered: " + e.getMessage(), e);
    } finally {
      listener.ended();
    }
  }

  private volatile @org.jspecify.annotations.Nullable IOException failure;

  /** Discards what the server sends: unread it would block the server. */
  private void discard(StallGuard guard) {
    ByteBuffer unwanted = ByteBuffer.allocate(64 * 1_024);
    try {
      while (connection.read(unwanted.clear()) >= 0) {
        guard.moved();
      }
    } catch (IOException e) {
      failure = e;
    }
  }

  private static int read(TransferHeader header, ReadableByteChannel content, ByteBuffer into)
      throws TransferFailed {
    try {
      return content.read(into);
    } catch (IOException e) {
      throw new TransferFailed("cannot read " + header.name() + ": " + e.getMessage(), e);
    }
  }
}
