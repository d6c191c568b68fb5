package io.cascade.client.forward;

import io.cascade.segments.Frame;
import io.cascade.segments.FrameCodec;
import io.cascade.segments.ProtocolViolation;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The connection of one pipe: frames from it to the stream, and from the stream to it. */
final class PipeConnection {
  private final GuardedStream stream;
  private final int number;
  private final PipeChannel connection;

  PipeConnection(GuardedStream stream, int number, PipeChannel connection) {
    this.stream = stream;
    this.number = number;
    this.connection = connection;
  }

  int number() {
    return number;
  }

  /**
   * Reads until the pipe ends.
   *
   * @param in what has been read already; used on
   * @return whether it ended as it should
   */
  boolean read(ByteBuffer in) {
    try {
      while (true) {
        takeFrames(in);
        in.compact();
        int read = connection.read(in);
        in.flip();
        if (read < 0) {
          return stream.changeAndTest(shared -> shared.ended(number, System.nanoTime()));
        }
      }
    } catch (IOException e) {
      stream.change(shared -> shared.lost(number, System.nanoTime()));
      return false;
    }
  }

  /** Takes the frames that are complete. After a violation, until the peer has been told why. */
  private void takeFrames(ByteBuffer in) {
    stream.change(shared -> {
      try {
        long now = System.nanoTime();
        for (Frame frame = FrameCodec.parse(in); frame != null; frame = FrameCodec.parse(in)) {
          shared.received(number, frame, now);
        }
      } catch (ProtocolViolation e) {
        shared.violated(e);
      }
    });
  }

  /** Writes until the stream has nothing more to say on the pipe, then ends the output. */
  void write() {
    try {
      for (Frame frame = next(); frame != null; frame = next()) {
        ByteBuffer head = FrameCodec.head(frame);
        ByteBuffer[] octets =
            frame instanceof Frame.Data data
                ? new ByteBuffer[] {head, data.bytes()}
                : new ByteBuffer[] {head};
        connection.write(octets);
        stream.written(number);
      }
      connection.shutdownOutput();
    } catch (IOException e) {
      reset(); // The reading thread finds that out and says so.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private @Nullable Frame next() throws InterruptedException, IOException {
    return stream.nextFrame(number, connection);
  }

  /** Ends the connection in order. */
  void close() throws IOException {
    connection.close();
  }

  void reset() {
    connection.reset();
  }
}
