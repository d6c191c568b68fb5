package io.cascade.client.transfer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The receiving end of a transfer: writes {@code NAME.part}, and gives it its name when the number
 * of bytes and their SHA-256 are what the sender says. Constant memory, whatever the size.
 */
public final class FileReceiver implements Reception {
  private static final Duration HEADER_PATIENCE = Duration.ofSeconds(30);
  private static final Duration DRAIN_PATIENCE = Duration.ofSeconds(10);

  private final Landing landing;
  private final Duration patience;
  private final TransferListener listener;

  /**
   * @param patience how long not a single byte may move before a transfer is given up
   */
  public FileReceiver(Landing landing, Duration patience, TransferListener listener) {
    this.landing = landing;
    this.patience = patience;
    this.listener = listener;
  }

  @Override
  public Outcome receive(SocketChannel connection, BooleanSupplier admission)
      throws InterruptedException {
    long start = System.nanoTime();
    TransferHeader header;
    try (StallGuard guard = new StallGuard(connection, HEADER_PATIENCE)) {
      header = readHeader(connection);
    } catch (TransferFailed e) {
      refuse(connection, 0, e);
      return new Outcome.Broken(Answer.printable(e.getMessage() + ""));
    } catch (IOException e) {
      return new Outcome.Ignored();
    }
    if (header == null) {
      return new Outcome.Ignored();
    }
    if (!admission.getAsBoolean()) {
      TransferFailed busy =
          new TransferFailed("it takes one file and has its sender; start it with --keep for more");
      refuse(connection, 0, busy);
      return new Outcome.Ignored();
    }
    Arrival arrival = new Arrival(header);
    try (StallGuard guard = new StallGuard(connection, patience)) {
      return accept(connection, guard, arrival, start);
    } catch (TransferFailed e) {
      refuse(connection, arrival.bytes, e);
      return new Outcome.Broken(
          Answer.printable(
              "%s: %s; nothing was kept".formatted(header.safeName(), e.getMessage())));
    } catch (IOException e) {
      return new Outcome.Broken("%s: %s; nothing was kept".formatted(header.safeName(), e));
    } finally {
      if (arrival.admitted) {
        listener.ended();
      }
    }
  }

  /** The header, or null where what came is none. */
  private static @Nullable TransferHeader readHeader(SocketChannel connection) throws IOException {
    ByteBuffer fixed = ByteBuffer.allocate(TransferHeader.FIXED_BYTES);
    // The magic first: a stranger who says less than a header should not be waited for.
    fixed.limit(TransferHeader.MAGIC.length);
    Channels.readFully(connection, fixed);
    if (!Arrays.equals(Arrays.copyOf(fixed.array(), fixed.position()), TransferHeader.MAGIC)) {
      return null;
    }
    fixed.limit(fixed.capacity());
    Channels.readFully(connection, fixed);
    fixed.flip();
    int nameLength = TransferHeader.nameLength(fixed);
    ByteBuffer name = ByteBuffer.allocate(nameLength);
    Channels.readFully(connection, name);
    return TransferHeader.decode(fixed.getLong(), name.flip());
  }

  private Outcome accept(SocketChannel connection, StallGuard guard, Arrival arrival, long start)
      throws IOException, InterruptedException {
    try (PartFile file = PartFile.create(landing.of(arrival.header), landing);
        DigestLane lane = new DigestLane(Block.MAX_BYTES)) {
      arrival.admitted = true;
      listener.started(arrival.header);
      Received received;
      try {
        readBlocks(connection, guard, lane, file, arrival);
        Sha256 claimed = readTrailer(connection, arrival);
        Sha256 computed = lane.finish();
        if (!computed.equals(claimed)) {
          throw new TransferFailed(
              "damaged on the way: %d bytes with SHA-256 %s (sent: %s)"
                  .formatted(arrival.bytes, computed, claimed));
        }
        received =
            new Received(
                file.commit(),
                arrival.bytes,
                computed,
                String.valueOf(connection.getRemoteAddress()).replaceFirst("^/", ""),
                Duration.ofNanos(System.nanoTime() - start));
      } catch (TransferFailed e) {
        throw e;
      } catch (IOException e) {
        throw new TransferFailed(
            "%s after %s".formatted(Channels.fate(e, guard), arrival.describe()), e);
      }
      answer(connection, Answer.stands(received.bytes(), received.sha256()));
      return new Outcome.Arrived(received);
    }
  }

  private void readBlocks(
      SocketChannel connection, StallGuard guard, DigestLane lane, PartFile file, Arrival arrival)
      throws IOException, InterruptedException {
    ByteBuffer length = ByteBuffer.allocateDirect(Block.LENGTH_BYTES);
    while (true) {
      Channels.readFully(connection, length.clear());
      int bytes = length.getInt(0);
      if (bytes == 0) {
        return;
      }
      if (bytes == Block.GIVEN_UP) {
        throw new TransferFailed("the sender gave up: " + readReason(connection));
      }
      if (bytes < 0 || bytes > Block.MAX_BYTES) {
        throw new TransferFailed(
            "damaged on the way: a block of %d bytes after %s (expected: at most %d)"
                .formatted(Integer.toUnsignedLong(bytes), arrival.describe(), Block.MAX_BYTES));
      }
      ByteBuffer buffer = lane.take().limit(bytes);
      while (buffer.hasRemaining()) {
        int read = connection.read(buffer);
        if (read < 0) {
          arrival.bytes += buffer.position();
          throw new java.io.EOFException();
        }
        guard.moved();
      }
      buffer.flip();
      lane.digest(buffer, buffer.duplicate());
      arrival.bytes += bytes;
      if (arrival.header.sizeKnown() && arrival.bytes > arrival.header.size()) {
        throw new TransferFailed(
            "more bytes than the %d announced".formatted(arrival.header.size()));
      }
      file.write(buffer);
      listener.moved(arrival.bytes);
    }
  }

  private static Sha256 readTrailer(SocketChannel connection, Arrival arrival) throws IOException {
    ByteBuffer trailer = ByteBuffer.allocate(Block.TRAILER_BYTES - Block.LENGTH_BYTES);
    Channels.readFully(connection, trailer);
    trailer.flip();
    long total = trailer.getLong();
    byte[] digest = new byte[Sha256.BYTES];
    trailer.get(digest);
    boolean asAnnounced = !arrival.header.sizeKnown() || arrival.header.size() == arrival.bytes;
    if (total != arrival.bytes || !asAnnounced) {
      throw new TransferFailed(
          "%s arrived, the sender says that it sent %d".formatted(arrival.describe(), total));
    }
    return new Sha256(digest);
  }

  private static String readReason(SocketChannel connection) throws IOException {
    ByteBuffer length = ByteBuffer.allocate(2);
    Channels.readFully(connection, length);
    int bytes = Math.min(Short.toUnsignedInt(length.getShort(0)), Block.MAX_REASON_BYTES);
    ByteBuffer reason = ByteBuffer.allocate(bytes);
    Channels.readFully(connection, reason);
    return StandardCharsets.UTF_8.decode(reason.flip()).toString();
  }

  /** Says why, then lets the sender finish reading it: a close over unread bytes would reset. */
  private static void refuse(SocketChannel connection, long bytes, TransferFailed why) {
    if (!connection.isOpen()) {
      return;
    }
    try (StallGuard guard = new StallGuard(connection, DRAIN_PATIENCE)) {
      answer(connection, Answer.refused(bytes, String.valueOf(why.getMessage())));
      ByteBuffer unwanted = ByteBuffer.allocateDirect(64 * 1_024);
      while (connection.read(unwanted.clear()) >= 0) {
        // The guard is not told: it ends this after its patience, whatever still comes.
      }
    } catch (IOException e) {
      // The sender went without listening.
    }
  }

  private static void answer(SocketChannel connection, Answer answer) throws IOException {
    Channels.writeFully(connection, answer.encode());
    connection.shutdownOutput();
  }

  /** How much has come; touched by the connection's thread only. */
  private static final class Arrival {
    final TransferHeader header;
    long bytes;
    boolean admitted;

    Arrival(TransferHeader header) {
      this.header = header;
    }

    String describe() {
      return header.sizeKnown()
          ? "%d of %d bytes".formatted(bytes, header.size())
          : bytes + " bytes";
    }
  }
}
