package io.cascade.client.transfer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The sending end of a transfer. Constant memory, whatever the size: the calling thread reads and
 * writes, a second one digests, a third waits for the receiver's answer, which may come early.
 */
public final class FileSender {
  private final SocketChannel connection;
  private final Duration patience;
  private final TransferListener listener;

  /**
   * @param connection connected and blocking; closed when the transfer has ended, in either way
   * @param patience how long not a single byte may move before the transfer is given up
   */
  public FileSender(SocketChannel connection, Duration patience, TransferListener listener) {
    this.connection = connection;
    this.patience = patience;
    this.listener = listener;
  }

  /**
   * Sends everything that {@code content} yields and waits for the receiver's answer.
   *
   * @param header whose size, where known, is what {@code content} will yield
   * @throws TransferFailed where the receiver does not hold the verified file
   */
  public Sent send(TransferHeader header, ReadableByteChannel content) throws TransferFailed {
    Progress progress = new Progress(header);
    try (connection;
        StallGuard guard = new StallGuard(connection, patience);
        DigestLane lane = new DigestLane(Block.LENGTH_BYTES + Block.MAX_BYTES)) {
      CompletableFuture<Answer> answer = new CompletableFuture<>();
      Thread.ofVirtual().name("answer").start(() -> await(answer));
      long start = System.nanoTime();
      try {
        progress.wireBytes += write(header.encode());
        listener.started(header);
        stream(content, lane, guard, progress, answer);
        if (!answer.isDone()) {
          finish(lane, progress);
        }
      } catch (TransferFailed e) {
        throw e;
      } catch (IOException e) {
        // The receiver's own words, where it left any, explain a broken connection best.
        Answer said = ifSaid(answer);
        if (said != null && !said.accepted()) {
          throw refused(said, progress);
        }
        throw new TransferFailed(
            "not delivered: %s after %s were sent"
                .formatted(Channels.fate(e, guard), progress.describe()),
            e);
      }
      return verdict(answer, guard, progress, start);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TransferFailed("not delivered: interrupted after " + progress.describe(), e);
    } catch (TransferFailed e) {
      throw e;
    } catch (IOException e) {
      throw new TransferFailed("not delivered: " + e.getMessage(), e);
    } finally {
      listener.ended();
    }
  }

  private void stream(
      ReadableByteChannel content,
      DigestLane lane,
      StallGuard guard,
      Progress progress,
      CompletableFuture<Answer> answer)
      throws IOException, InterruptedException {
    while (!answer.isDone()) {
      ByteBuffer buffer = lane.take();
      buffer.position(Block.LENGTH_BYTES);
      int read = fill(content, buffer, progress);
      if (read == 0) {
        return;
      }
      buffer.flip();
      buffer.putInt(0, read);
      lane.digest(buffer, buffer.slice(Block.LENGTH_BYTES, read));
      while (buffer.hasRemaining()) {
        connection.write(buffer);
        guard.moved();
      }
      progress.bytes += read;
      progress.wireBytes += Block.LENGTH_BYTES + read;
      listener.moved(progress.bytes);
    }
  }

  /** Reads once, or until the buffer is full where the size is known. 0 at the end. */
  private int fill(ReadableByteChannel content, ByteBuffer buffer, Progress progress)
      throws IOException {
    TransferHeader header = progress.header;
    if (header.sizeKnown()) {
      long left = header.size() - progress.bytes;
      buffer.limit((int) Math.min(buffer.capacity(), buffer.position() + left));
    }
    int before = buffer.position();
    while (buffer.hasRemaining()) {
      int read;
      try {
        read = content.read(buffer);
      } catch (IOException e) {
        throw giveUp("cannot read " + header.name() + ": " + e.getMessage());
      }
      if (read < 0) {
        if (header.sizeKnown()) {
          throw giveUp(
              "%s became shorter while it was sent: %d of %d bytes"
                  .formatted(
                      header.name(), progress.bytes + buffer.position() - before, header.size()));
        }
        break;
      }
      if (!header.sizeKnown() && read > 0) {
        break; // What a pipe yields goes on at once.
      }
    }
    return buffer.position() - before;
  }

  /** Tells the receiver why nothing more comes, so that neither end has to guess. */
  private TransferFailed giveUp(String reason) {
    byte[] why = reason.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(why.length, Block.MAX_REASON_BYTES);
    try {
      write(
          ByteBuffer.allocate(Block.LENGTH_BYTES + 2 + length)
              .putInt(Block.GIVEN_UP)
              .putShort((short) length)
              .put(why, 0, length)
              .flip());
      connection.shutdownOutput();
    } catch (IOException e) {
      // The receiver will see the connection end without the mark; that says enough.
    }
    return new TransferFailed("not delivered: " + reason);
  }

  private void finish(DigestLane lane, Progress progress) throws IOException, InterruptedException {
    progress.sha256 = lane.finish();
    progress.wireBytes +=
        write(
            ByteBuffer.allocate(Block.TRAILER_BYTES)
                .putInt(0)
                .putLong(progress.bytes)
                .put(progress.sha256.bytes())
                .flip());
    connection.shutdownOutput();
  }

  private int write(ByteBuffer buffer) throws IOException {
    int bytes = buffer.remaining();
    Channels.writeFully(connection, buffer);
    return bytes;
  }

  private void await(CompletableFuture<Answer> answer) {
    try {
      answer.complete(Answer.read(connection));
    } catch (IOException | RuntimeException e) {
      answer.completeExceptionally(e);
    }
  }

  private Sent verdict(
      CompletableFuture<Answer> answer, StallGuard guard, Progress progress, long start)
      throws TransferFailed, InterruptedException {
    Answer said;
    try {
      guard.moved();
      said = answer.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TransferFailed failed) {
        throw failed;
      }
      String fate =
          e.getCause() instanceof IOException io
              ? Channels.fate(io, guard)
              : String.valueOf(e.getCause());
      throw new TransferFailed(
          "not confirmed: %s before the receiver answered (%s were sent)"
              .formatted(fate, progress.describe()),
          e);
    }
    Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
    if (!said.accepted()) {
      throw refused(said, progress);
    }
    Sha256 sent = progress.sha256;
    if (sent == null || !said.sha256().equals(sent) || said.bytes() != progress.bytes) {
      throw new TransferFailed(
          "the receiver confirms another file: %d bytes with SHA-256 %s (sent: %d bytes, %s)"
              .formatted(said.bytes(), said.sha256(), progress.bytes, sent));
    }
    return new Sent(progress.bytes, progress.wireBytes, sent, elapsed);
  }

  private static @Nullable Answer ifSaid(CompletableFuture<Answer> answer)
      throws InterruptedException {
    try {
      // A reset of the sending direction arrives together with, or after, what the receiver said.
      return answer.get(1, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      return null;
    }
  }

  private static TransferFailed refused(Answer said, Progress progress) {
    return new TransferFailed(
        "the receiver refused: %s (%s were sent)".formatted(said.reason(), progress.describe()));
  }

  /** How far it has come; touched by the calling thread only. */
  private static final class Progress {
    final TransferHeader header;
    long bytes;
    long wireBytes;
    @Nullable Sha256 sha256;

    Progress(TransferHeader header) {
      this.header = header;
    }

    String describe() {
      return header.sizeKnown()
          ? "%d of %d bytes".formatted(bytes, header.size())
          : bytes + " bytes";
    }
  }
}
