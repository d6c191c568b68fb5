package io.cascade.client.transfer.receiver;

import io.cascade.client.transfer.Received;
import io.cascade.client.transfer.TransferListener;
import io.cascade.client.transfer.connection.ByteConnection;
import io.cascade.client.transfer.connection.Channels;
import io.cascade.client.transfer.connection.StallGuard;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.content.DigestLane;
import io.cascade.client.transfer.wire.Block;
import io.cascade.client.transfer.wire.TransferHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;

/**
 * Stores all bytes of a connection up to its FIN as a file. There is nothing to compare the bytes
 * with, so that an early FIN is not detected; a reset is detected, and leaves no file.
 */
public final class RawReceiver implements ConnectionReceiver {
  private static final TransferHeader NAMELESS =
      new TransferHeader("received", TransferHeader.UNKNOWN_SIZE);

  private final Semaphore places = new Semaphore(Arrivals.MOST_ARRIVING);
  private final OutputTarget target;
  private final Duration patience;
  private final TransferListener listener;

  public RawReceiver(OutputTarget target, Duration patience, TransferListener listener) {
    this.target = target;
    this.patience = patience;
    this.listener = listener;
  }

  @Override
  public Outcome receive(ByteConnection connection, BooleanSupplier admission)
      throws InterruptedException {
    long start = System.nanoTime();
    long bytes = 0;
    try (StallGuard guard = new StallGuard(connection, patience);
        DigestLane lane = new DigestLane(Block.MAX_BYTES)) {
      ByteBuffer first = ByteBuffer.allocate(1); // A silent peer takes no memory.
      int read = first(connection, first);
      if (read < 0 || !admission.getAsBoolean()) {
        return new Outcome.Ignored();
      }
      if (!places.tryAcquire()) {
        return new Outcome.Broken(
            "refused: busy with %d connections, the most at a time"
                .formatted(Arrivals.MOST_ARRIVING));
      }
      try (ArrivingFile file = target.create(NAMELESS)) {
        listener.started(NAMELESS);
        DigestLane.Slot slot = lane.take();
        slot.buffer.put(first.flip());
        while (read >= 0) {
          guard.moved();
          ByteBuffer content = slot.buffer.flip();
          lane.digest(slot, content.duplicate());
          long offset = bytes;
          bytes += content.remaining();
          file.write(content, offset);
          lane.release(slot);
          listener.moved(bytes);
          slot = lane.take();
          read = connection.read(slot.buffer);
        }
        return new Outcome.Arrived(
            new Received(
                NAMELESS.transfer(),
                file.commit(),
                bytes,
                lane.finish(),
                connection.peer(),
                null,
                Duration.ofNanos(System.nanoTime() - start),
                null));
      } catch (TransferFailed e) {
        return new Outcome.Broken(e.getMessage() + "; nothing was kept");
      } catch (IOException e) {
        return new Outcome.Broken(
            "%s after %d bytes; nothing was kept".formatted(Channels.fate(e, guard), bytes));
      } finally {
        places.release();
        listener.ended();
      }
    }
  }

  private static int first(ByteConnection connection, ByteBuffer buffer) {
    try {
      return connection.read(buffer);
    } catch (IOException e) {
      return -1;
    }
  }
}
