package io.cascade.client.forward;

import io.cascade.carriage.blocking.BlockingConnection;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A pipe over a stream of a coded session. Its first octet is one of the dialler's, which says
 * nothing: the far end has the stream from then on, and is the first to speak.
 */
final class CodedPipe implements PipeChannel {
  private final BlockingConnection connection;

  private CodedPipe(BlockingConnection connection) {
    this.connection = connection;
  }

  /** The pipe of who has dialled it. */
  static CodedPipe dialled(BlockingConnection connection) throws IOException {
    int _ = connection.write(ByteBuffer.allocate(1));
    return new CodedPipe(connection);
  }

  /** The pipe at the far end. */
  static CodedPipe arrived(BlockingConnection connection) throws IOException {
    if (connection.read(ByteBuffer.allocate(1)) < 0) {
      throw new EOFException("the pipe ended before it began");
    }
    return new CodedPipe(connection);
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    return connection.read(into);
  }

  @Override
  public void write(ByteBuffer... octets) throws IOException {
    for (ByteBuffer each : octets) {
      int _ = connection.write(each);
    }
  }

  @Override
  public void shutdownOutput() throws IOException {
    connection.shutdownOutput();
  }

  @Override
  public boolean isOpen() {
    return connection.isOpen();
  }

  @Override
  public void close() {
    connection.close();
  }

  @Override
  public void reset() {
    connection.reset();
  }
}
