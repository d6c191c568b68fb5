package io.cascade.client.transfer.coded;

import io.cascade.carriage.blocking.BlockingConnection;
import io.cascade.carriage.coded.CodedSettings;
import io.cascade.carriage.coded.PathMemory;
import io.cascade.client.transfer.connection.ByteConnection;
import io.cascade.coding.stream.CodedStreamLimits;
import io.cascade.coding.stream.StreamMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;

/** A connection of a transfer over a coded session. */
public final class CodedEnd implements ByteConnection {
  /** Initial credit of a transfer's stream: fills 100 Mbit/s over 300 ms. */
  private static final int FIRST_CREDIT_BYTES = 4 << 20;

  /** Long, since TCP carries meanwhile. */
  private static final Duration HANDSHAKE = Duration.ofSeconds(3);

  /**
   * A path may fail permanently, for example when a NAT drops its mapping: once the session is
   * closed another one can be dialled.
   */
  private static final Duration SILENCE = Duration.ofSeconds(8);

  private static final int MOST_STREAMS = 64;
  private static final long MEMORY_BYTES = 64 << 20;

  private final BlockingConnection connection;

  /**
   * @param connection a stream of a session
   */
  public CodedEnd(BlockingConnection connection) {
    this.connection = connection;
  }

  /** Settings of sessions between ends, with what is known of their paths. */
  public static CodedSettings settings(PathMemory paths) {
    CodedStreamLimits limits =
        new CodedStreamLimits(
            FIRST_CREDIT_BYTES,
            CodedStreamLimits.USUAL_MOST_CREDIT_BYTES,
            CodedStreamLimits.USUAL_SEND_BYTES,
            MOST_STREAMS,
            new StreamMemory(MEMORY_BYTES, () -> Long.MAX_VALUE));
    CodedSettings usual = CodedSettings.of(limits);
    return new CodedSettings(
        limits, usual.places(), usual.times().withHandshake(HANDSHAKE).withAlone(SILENCE), paths);
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    return connection.read(into);
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    return connection.write(from);
  }

  @Override
  public void shutdownOutput() throws IOException {
    connection.shutdownOutput();
  }

  @Override
  public void awaitDelivery(Duration patience) {
    boolean _ = connection.awaitDelivery(patience);
  }

  @Override
  public void reset() {
    connection.reset();
  }

  @Override
  public String peer() {
    return String.valueOf(connection.remoteAddress()).replaceFirst("^/", "");
  }

  @Override
  public boolean isOpen() {
    return connection.isOpen();
  }

  @Override
  public void close() {
    connection.close();
  }
}
