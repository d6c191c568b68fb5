package io.cascade.client.sealed;

import io.cascade.api.orchestrator.TransferAccount;
import io.cascade.client.transfer.ByteConnection;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A connection of which the first byte was looked at, and is read once more. */
final class BegunConnection implements ByteConnection {
  private final ByteConnection under;
  private final byte first;
  private boolean given;

  private BegunConnection(ByteConnection under, byte first) {
    this.under = under;
    this.first = first;
  }

  /** Waits for the first byte. */
  static BegunConnection of(ByteConnection under) throws IOException {
    ByteBuffer first = ByteBuffer.allocate(1);
    if (under.read(first) < 0) {
      throw new EOFException("ended before it began");
    }
    return new BegunConnection(under, first.get(0));
  }

  byte first() {
    return first;
  }

  /** Of one thread until the first byte was read. */
  @Override
  public int read(ByteBuffer into) throws IOException {
    if (given || !into.hasRemaining()) {
      return under.read(into);
    }
    given = true;
    into.put(first);
    return 1;
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    return under.write(from);
  }

  @Override
  public void shutdownOutput() throws IOException {
    under.shutdownOutput();
  }

  @Override
  public void begin(long nowNanos) {
    under.begin(nowNanos);
  }

  @Override
  public void look(long nowNanos, long confirmedBytes) {
    under.look(nowNanos, confirmedBytes);
  }

  @Override
  public @Nullable TransferAccount account() {
    return under.account();
  }

  @Override
  public void awaitDelivery(Duration patience) {
    under.awaitDelivery(patience);
  }

  @Override
  public void reset() {
    under.reset();
  }

  @Override
  public String peer() {
    return under.peer();
  }

  @Override
  public boolean isOpen() {
    return under.isOpen();
  }

  @Override
  public void close() throws IOException {
    under.close();
  }
}
