package io.cascade.client.transfer.receiver;

import io.cascade.client.transfer.Received;
import io.cascade.client.transfer.TransferListener;
import io.cascade.client.transfer.coded.CodedReception;
import io.cascade.client.transfer.connection.ByteConnection;
import io.cascade.client.transfer.connection.Channels;
import io.cascade.client.transfer.connection.StallGuard;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.connection.WholeWrites;
import io.cascade.client.transfer.content.DigestLane;
import io.cascade.client.transfer.content.Extents.Extent;
import io.cascade.client.transfer.content.Sha256;
import io.cascade.client.transfer.wire.Block;
import io.cascade.client.transfer.wire.FinalReply;
import io.cascade.client.transfer.wire.HeldExtents;
import io.cascade.client.transfer.wire.Load;
import io.cascade.client.transfer.wire.Offer;
import io.cascade.client.transfer.wire.Queued;
import io.cascade.client.transfer.wire.Receipt;
import io.cascade.client.transfer.wire.Refusal;
import io.cascade.client.transfer.wire.TransferHeader;
import io.cascade.command.Printable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The receiving end of a transfer: writes {@code .NAME.cascade-part}, and renames it when the
 * number of bytes and their SHA-256 are those that the sender reported. Memory use is constant,
 * whatever the size. A transfer may use several connections; it fails when the last of them fails,
 * or, if the sender reconnects, when it does not do so in time.
 */
public final class FileReceiver implements ConnectionReceiver {
  /** Most transfers that may arrive at a time. */
  public static final int MOST_AT_ONCE = Arrivals.MOST_ARRIVING;

  private static final Duration HEADER_PATIENCE = Duration.ofSeconds(30);

  /** Time for the answer to reach its sender if the process has to wait for that. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(3);

  /** Longest time-out of a silent connection of a sender that reconnects. */
  private static final Duration SILENCE = Duration.ofSeconds(60);

  /**
   * Time without progress after which a transfer may be replaced by another one of the same file.
   */
  private static final Duration STANDSTILL = Duration.ofSeconds(15);

  private final Arrivals arrivals;
  private final TestReception tests = new TestReception();
  private final Duration patience;
  private volatile @Nullable CodedReception coded;

  /**
   * @param patience how long no byte may be moved on a connection before it is closed
   */
  public FileReceiver(OutputTarget target, Duration patience, TransferListener listener) {
    this(target, patience, listener, MOST_AT_ONCE);
  }

  /**
   * @param patience how long no byte may be moved on a connection before it is closed
   * @param atOnce how many transfers arrive at a time, 1 to {@value #MOST_AT_ONCE}; others wait
   */
  public FileReceiver(
      OutputTarget target, Duration patience, TransferListener listener, int atOnce) {
    this(target, patience, STANDSTILL, listener, atOnce);
  }

  public FileReceiver(
      OutputTarget target, Duration patience, Duration standstill, TransferListener listener) {
    this(target, patience, standstill, listener, MOST_AT_ONCE);
  }

  FileReceiver(
      OutputTarget target,
      Duration patience,
      Duration standstill,
      TransferListener listener,
      int atOnce) {
    this.arrivals = new Arrivals(target, listener, standstill, atOnce);
    this.patience = patience;
  }

  /** Accepts coded sessions, too. */
  public void takes(CodedReception sessions) {
    coded = sessions;
  }

  @Override
  public Outcome receive(ByteConnection connection, BooleanSupplier admission)
      throws InterruptedException {
    TransferHeader header;
    try (StallGuard guard = new StallGuard(connection, HEADER_PATIENCE)) {
      header = TransferHeader.read(connection);
    } catch (TransferFailed e) {
      return refused(connection, null, e);
    } catch (IOException e) {
      return new Outcome.Ignored();
    }
    if (header == null) {
      return new Outcome.Ignored();
    }
    if (header.test()) {
      return tests.receive(connection);
    }
    if (header.purpose() == TransferHeader.Purpose.INVITATION
        || header.purpose() == TransferHeader.Purpose.MEETING_INVITATION) {
      return invited(header, connection);
    }
    Arrival arrival;
    try (StallGuard guard = new StallGuard(connection, HEADER_PATIENCE)) {
      arrival =
          arrivals.await(
              header,
              connection.peer(),
              admission,
              place -> {
                Channels.writeFully(connection, new Queued(place).encode());
                guard.moved();
              });
    } catch (TransferFailed e) {
      return refused(connection, header, e);
    } catch (IOException e) {
      return new Outcome.Ignored();
    }
    if (arrival == null) {
      TransferFailed busy =
          new TransferFailed(
              "it accepts one file and already has a sender; fix: start it with --keep for more");
      return refused(connection, header, busy);
    }
    try {
      return receive(new WholeWrites(connection), arrival);
    } finally {
      arrivals.mayHaveEnded();
    }
  }

  /**
   * @param header null where the sender did not send one
   */
  private static Outcome refused(
      ByteConnection connection, @Nullable TransferHeader header, TransferFailed why) {
    refuse(connection, 0, why);
    return new Outcome.Refused(
        String.valueOf(why.getMessage()),
        header == null ? null : header.name(),
        connection.peer(),
        header == null ? null : header.fields().sender());
  }

  private Outcome invited(TransferHeader header, ByteConnection connection)
      throws InterruptedException {
    try (StallGuard _ = new StallGuard(connection, HEADER_PATIENCE)) {
      CodedReception.answer(header, connection, coded);
      return new Outcome.Invited();
    } catch (IOException e) {
      return new Outcome.Ignored();
    }
  }

  private Outcome receive(ByteConnection connection, Arrival arrival) throws InterruptedException {
    boolean returns = arrival.header().returns();
    Duration silence = returns && patience.compareTo(SILENCE) > 0 ? SILENCE : patience;
    try (StallGuard guard = new StallGuard(connection, silence)) {
      try {
        Arrival.Entry entry = arrival.join(connection, guard);
        if (entry == null) {
          return tooLate(connection, arrival);
        }
        greet(connection, guard, entry);
        if (!readBlocks(connection, guard, entry, arrival)) {
          return new Outcome.Joined();
        }
        Arrival.Whole whole = readTrailer(connection, guard, arrival);
        return whole == null ? tooLate(connection, arrival) : arrived(connection, arrival, whole);
      } catch (TransferFailed e) {
        if (!arrival.fail(connection)) {
          return new Outcome.Joined();
        }
        refuse(connection, arrival.bytes(), e);
        return broken(connection, String.valueOf(e.getMessage()), arrival);
      } catch (IOException e) {
        if (returns) {
          close(connection); // Makes the sender notice and reconnect.
        }
        if (!arrival.leave(connection, arrival.header().awaited(patience))) {
          return new Outcome.Joined();
        }
        String reason = "%s after %s".formatted(Channels.fate(e, guard), arrival.describe());
        refuse(connection, arrival.bytes(), new TransferFailed(reason, e));
        return broken(connection, reason, arrival);
      } catch (RuntimeException | Error e) { // Memory may be exhausted: only this transfer fails.
        if (arrival.fail(connection)) {
          refuse(connection, arrival.bytes(), new TransferFailed("the receiver failed: " + e));
        }
        throw e;
      }
    }
  }

  /** Answers a sender that missed the end of the transfer, or connects late. */
  private static Outcome tooLate(ByteConnection connection, Arrival arrival) {
    FinalReply answer = arrival.answer();
    if (answer != null) {
      Refusal.say(connection, answer);
    }
    return new Outcome.Joined();
  }

  private static void close(ByteConnection connection) {
    try {
      connection.close();
    } catch (IOException e) {
      // It was to be closed anyway.
    }
  }

  private static Outcome broken(ByteConnection connection, String reason, Arrival arrival) {
    TransferHeader header = arrival.header();
    return new Outcome.Broken(
        Printable.line("%s: %s; %s".formatted(header.name(), reason, arrival.whatIsKept())),
        new Outcome.Attempt(
            header.transfer(),
            header.name(),
            arrival.bytes(),
            connection.peer(),
            header.fields().sender(),
            arrival.elapsed()));
  }

  /** Describes what would be kept of transfers if the process ended now, a line each. */
  public List<String> wouldBeKept() {
    return arrivals.wouldBeKept().stream().map(Printable::line).toList();
  }

  /** Tells a reconnecting sender what is held. */
  private static void greet(ByteConnection connection, StallGuard guard, Arrival.Entry entry)
      throws IOException {
    Offer offer = entry.offer();
    if (offer == null) {
      return;
    }
    Channels.writeFully(connection, offer.encode());
    List<Extent> extents = entry.extents();
    for (int from = 0; from < extents.size(); from += HeldExtents.MOST_AT_ONCE) {
      int to = Math.min(extents.size(), from + HeldExtents.MOST_AT_ONCE);
      Channels.writeFully(connection, new HeldExtents(extents.subList(from, to)).encode());
      guard.moved();
    }
    if (!extents.isEmpty()) {
      Channels.writeFully(connection, new HeldExtents(List.of()).encode());
    }
  }

  /** Answers that the file is complete; it remains so even if its sender misses the answer. */
  private static Outcome arrived(ByteConnection connection, Arrival arrival, Arrival.Whole whole) {
    String from = connection.peer();
    Duration elapsed = arrival.elapsed();
    try {
      FinalReply.stands(whole.bytes(), whole.sha256()).say(connection, LAST_WORDS);
      connection.awaitDelivery(LAST_WORDS);
    } catch (IOException e) {
      // The sender disconnected without reading.
    }
    return new Outcome.Arrived(
        new Received(
            arrival.header().transfer(),
            whole.file(),
            whole.bytes(),
            whole.sha256(),
            from,
            arrival.header().fields().sender(),
            elapsed,
            whole.entries()));
  }

  /**
   * @return whether the trailer comes next; false where the transfer has ended
   */
  private static boolean readBlocks(
      ByteConnection connection, StallGuard guard, Arrival.Entry entry, Arrival arrival)
      throws IOException, InterruptedException {
    TransferHeader header = arrival.header();
    DigestLane lane = entry.lane();
    ByteBuffer prefix = ByteBuffer.allocateDirect(Block.PREFIX_BYTES);
    while (true) {
      Channels.readFully(connection, prefix.clear().limit(Block.LENGTH_BYTES));
      int length = prefix.getInt(0);
      if (length == 0) {
        return true;
      }
      if (length == Block.ALIVE) {
        guard.moved();
        continue;
      }
      if (length == Block.GIVEN_UP || length == Block.STOPPED) {
        String reason = readReason(connection);
        if (length == Block.GIVEN_UP) {
          arrival.discard();
        }
        throw new TransferFailed("the sender gave up: " + reason);
      }
      if (length == Block.HOLE) {
        if (!readHole(connection, guard, arrival)) {
          return false;
        }
        continue;
      }
      if (length < 0 || length > Block.MAX_BYTES) {
        throw new TransferFailed(
            "damaged on the way: a block of %d bytes after %s (expected: at most %d)"
                .formatted(Integer.toUnsignedLong(length), arrival.describe(), Block.MAX_BYTES));
      }
      Channels.readFully(connection, prefix.limit(Block.PREFIX_BYTES));
      long offset = prefix.getLong(Block.LENGTH_BYTES);
      requireWithin(header, offset, length);
      DigestLane.Slot slot = place(offset + length, guard, entry, arrival);
      ByteBuffer content = slot.buffer.limit(length);
      try {
        while (content.hasRemaining()) {
          if (connection.read(content) < 0) {
            throw new EOFException("ended within a block");
          }
          guard.moved();
        }
      } catch (IOException e) {
        lane.release(slot); // The other connections of the transfer need it.
        throw e;
      }
      content.flip();
      if (!store(slot, offset, entry, arrival)) {
        return false;
      }
      Channels.writeFully(connection, new Receipt(offset, length).encode());
      Load load = entry.load().look(System.nanoTime());
      if (load != null && header.fields().hearsLoad()) {
        Channels.writeFully(connection, load.encode());
      }
    }
  }

  /** A buffer for a block that may be stored. */
  private static DigestLane.Slot place(
      long end, StallGuard guard, Arrival.Entry entry, Arrival arrival)
      throws TransferFailed, InterruptedException {
    StoringLoad load = entry.load();
    load.storing().begins();
    try {
      load.disk().begins();
      try {
        arrival.awaitRoom(end, guard);
      } finally {
        load.disk().ends();
      }
      return entry.lane().take();
    } finally {
      load.storing().ends();
    }
  }

  private static boolean store(
      DigestLane.Slot slot, long offset, Arrival.Entry entry, Arrival arrival)
      throws TransferFailed, InterruptedException {
    StoringLoad load = entry.load();
    load.storing().begins();
    load.disk().begins();
    try {
      return arrival.store(slot, offset);
    } finally {
      load.disk().ends();
      load.storing().ends();
    }
  }

  private static void requireWithin(TransferHeader header, long offset, int length)
      throws TransferFailed {
    if (offset < 0 || offset > Long.MAX_VALUE - length) {
      throw new TransferFailed("damaged on the way: a block at offset " + offset);
    }
    if (header.sizeKnown() && offset + length > header.size()) {
      throw new TransferFailed("more bytes than the %d announced".formatted(header.size()));
    }
  }

  /**
   * @return false where the transfer has ended
   */
  private static boolean readHole(ByteConnection connection, StallGuard guard, Arrival arrival)
      throws IOException, InterruptedException {
    ByteBuffer rest = ByteBuffer.allocate(Block.HOLE_BYTES - Block.LENGTH_BYTES);
    Channels.readFully(connection, rest);
    rest.flip();
    long offset = rest.getLong();
    int length = rest.getInt();
    if (length <= 0 || length > Block.MOST_HOLE_BYTES) {
      throw new TransferFailed(
          "damaged on the way: a hole of %d bytes (expected: 1 to %d)"
              .formatted(Integer.toUnsignedLong(length), Block.MOST_HOLE_BYTES));
    }
    requireWithin(arrival.header(), offset, length);
    arrival.awaitRoom(offset + length, guard);
    guard.moved();
    if (!arrival.store(DigestLane.Slot.hole(length), offset)) {
      return false;
    }
    Channels.writeFully(connection, new Receipt(offset, length).encode());
    return true;
  }

  private static Arrival.@Nullable Whole readTrailer(
      ByteConnection connection, StallGuard guard, Arrival arrival)
      throws IOException, InterruptedException {
    ByteBuffer rest = ByteBuffer.allocate(Block.TRAILER_BYTES - Block.LENGTH_BYTES);
    Channels.readFully(connection, rest);
    rest.flip();
    long total = rest.getLong();
    byte[] digest = new byte[Sha256.BYTES];
    rest.get(digest);
    return arrival.finish(total, new Sha256(digest), connection, guard);
  }

  private static String readReason(ByteConnection connection) throws IOException {
    ByteBuffer length = ByteBuffer.allocate(2);
    Channels.readFully(connection, length);
    int bytes = Math.min(Short.toUnsignedInt(length.getShort(0)), Block.MAX_REASON_BYTES);
    ByteBuffer reason = ByteBuffer.allocate(bytes);
    Channels.readFully(connection, reason);
    return StandardCharsets.UTF_8.decode(reason.flip()).toString();
  }

  private static void refuse(ByteConnection connection, long bytes, TransferFailed why) {
    Refusal.say(connection, FinalReply.refused(bytes, String.valueOf(why.getMessage())));
  }
}
