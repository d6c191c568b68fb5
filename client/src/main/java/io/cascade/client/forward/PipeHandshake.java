package io.cascade.client.forward;

import io.cascade.carriage.blocking.BlockingConnection;
import io.cascade.segments.Frame;
import io.cascade.segments.FrameCodec;
import io.cascade.segments.Octets16;
import io.cascade.segments.ProtocolViolation;
import io.cascade.segments.Reason;
import io.cascade.segments.SharedKey;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.security.SecureRandom;
import java.time.Duration;

/** Handshake of two junctions on a new connection before it becomes a pipe. */
final class PipeHandshake {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final SharedKey key;
  private final SecureRandom random = new SecureRandom();

  PipeHandshake(SharedKey key) {
    this.key = key;
  }

  Octets16 newStream() {
    return Octets16.random(random);
  }

  /**
   * A connection that has become a pipe.
   *
   * @param arrived bytes received behind the introduction; ready to be read from
   * @param roundTripNanos from the introduction to its answer
   */
  record Introduced(
      int number, BlockingConnection connection, ByteBuffer arrived, long roundTripNanos) {}

  /** Request of a peer that has proved possession of the key. */
  record Request(
      BlockingConnection connection,
      ByteBuffer arrived,
      Frame.Introduction introduction,
      Octets16 acceptance,
      long roundTripNanos) {}

  /** The other junction refused the pipe, or failed authentication. */
  static final class Refused extends IOException {
    private final Reason reason;
    private final String detail;

    Refused(Reason reason, String detail) {
      super(detail.isEmpty() ? reason.words() : reason.words() + ": " + detail);
      this.reason = reason;
      this.detail = detail;
    }

    String detail() {
      return detail;
    }

    Reason reason() {
      return reason;
    }

    /** Whether a junction refused the pipe, rather than another program at its address. */
    boolean isFromJunction() {
      return reason != Reason.UNEXPECTED_FRAME;
    }
  }

  /** Introduces a pipe to the far junction and waits for its answer. */
  Introduced introduce(BlockingConnection connection, Octets16 stream, int pipe, boolean join)
      throws IOException {
    ByteBuffer in = buffer();
    try (Deadline _ = new Deadline(connection, TIMEOUT)) {
      if (!(read(connection, in) instanceof Frame.Challenge(int version, Octets16 nonce))) {
        throw new Refused(Reason.UNEXPECTED_FRAME, "no challenge");
      }
      if (version != Frame.VERSION) {
        throw new Refused(
            Reason.VERSION,
            "it uses protocol version %d, this end %d".formatted(version, Frame.VERSION));
      }
      long began = System.nanoTime();
      write(
          connection,
          new Frame.Introduction(
              Frame.VERSION, join, stream, pipe, key.introduction(join, stream, pipe, nonce)));
      switch (read(connection, in)) {
        case Frame.Acceptance(Octets16 authenticator) -> {
          if (!authenticator.matches(key.acceptance(stream, pipe, nonce))) {
            throw new Refused(Reason.FORGED, "the far junction has another key");
          }
        }
        case Frame.Refusal(Reason reason, String detail) -> throw new Refused(reason, detail);
        default -> throw new Refused(Reason.UNEXPECTED_FRAME, "no answer to the introduction");
      }
      return new Introduced(pipe, connection, in, System.nanoTime() - began);
    } catch (AsynchronousCloseException e) {
      throw new IOException("no introduction within %d s".formatted(TIMEOUT.toSeconds()), e);
    } catch (ProtocolViolation e) {
      throw new Refused(e.reason(), String.valueOf(e.getMessage()));
    }
  }

  /**
   * Authenticates the peer and reads its request.
   *
   * @throws Refused where the peer is not admitted; it has been told
   */
  Request ask(BlockingConnection connection) throws IOException {
    ByteBuffer in = buffer();
    try (Deadline _ = new Deadline(connection, TIMEOUT)) {
      Octets16 nonce = Octets16.random(random);
      long began = System.nanoTime();
      write(connection, new Frame.Challenge(Frame.VERSION, nonce));
      if (!(read(connection, in) instanceof Frame.Introduction asked)) {
        throw refuse(connection, Reason.UNEXPECTED_FRAME, "no introduction");
      }
      if (asked.version() != Frame.VERSION) {
        throw refuse(
            connection,
            Reason.VERSION,
            "it uses protocol version %d, this end %d".formatted(asked.version(), Frame.VERSION));
      }
      Octets16 expected = key.introduction(asked.join(), asked.stream(), asked.pipe(), nonce);
      if (!asked.authenticator().matches(expected)) {
        throw refuse(connection, Reason.FORGED, "");
      }
      Octets16 acceptance = key.acceptance(asked.stream(), asked.pipe(), nonce);
      return new Request(connection, in, asked, acceptance, System.nanoTime() - began);
    } catch (ProtocolViolation e) {
      throw refuse(connection, e.reason(), String.valueOf(e.getMessage()));
    }
  }

  void accept(Request request) throws IOException {
    write(request.connection(), new Frame.Acceptance(request.acceptance()));
  }

  Refused refuse(BlockingConnection connection, Reason reason, String detail) throws IOException {
    write(connection, new Frame.Refusal(reason, detail));
    connection.shutdownOutput();
    return new Refused(reason, detail);
  }

  private static ByteBuffer buffer() {
    return ByteBuffer.allocate(FrameCodec.MOST_FRAME).limit(0);
  }

  /** Reads one frame; bytes behind it stay in the buffer, which is ready to be read from. */
  private static Frame read(BlockingConnection from, ByteBuffer in)
      throws IOException, ProtocolViolation {
    for (Frame frame = FrameCodec.parse(in); ; frame = FrameCodec.parse(in)) {
      if (frame != null) {
        return frame;
      }
      in.compact();
      int read = from.read(in);
      in.flip();
      if (read < 0) {
        throw new EOFException("the connection ended in the introduction");
      }
    }
  }

  private static void write(BlockingConnection to, Frame frame) throws IOException {
    int _ = to.write(FrameCodec.head(frame));
  }
}
