package io.cascade.client.transfer.connection;

import io.cascade.api.orchestrator.TransferAccount;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A connection that delegates to another one. */
public abstract class ForwardingConnection implements ByteConnection {
  private final ByteConnection under;

  protected ForwardingConnection(ByteConnection under) {
    this.under = under;
  }

  /** The other connection. */
  protected final ByteConnection under() {
    return under;
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    return under.read(into);
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
