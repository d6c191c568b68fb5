package io.cascade.client.transfer;

import io.cascade.api.orchestrator.TransferAccount;
import io.cascade.client.transfer.BlockLedger.Range;
import io.cascade.client.transfer.BlockSchedule.Action;
import io.cascade.client.transfer.BlockSchedule.Step;
import io.cascade.client.transfer.Carrier.Piece;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The sending end of a transfer over one connection, or over several that share its blocks ({@link
 * BlockSchedule}). Constant memory, whatever the size.
 *
 * <p>What a connection had under way when it broke is sent once more over another one, if the
 * content can be read again. Only what has arrived counts as moved.
 */
public final class FileTransfer implements AutoCloseable {
  /**
   * The least size of a block that may be sent again: small, so that a slow path holds up little.
   */
  private static final int LEAST_BLOCK_BYTES = 64 * 1024;

  /** A block takes about so long to send, within the limits of its size. */
  private static final double BLOCK_SECONDS = 0.02;

  /** After so long without a receipt, the rates of connections are looked at again. */
  private static final long RECONSIDER_MILLIS = 100;

  private static final Duration LAST_WORDS = Duration.ofSeconds(1);

  private final TransferHeader header;
  private final Content content;
  private final Duration patience;
  private final TransferListener listener;
  private final DigestLane lane = new DigestLane(Block.PREFIX_BYTES + Block.MAX_BYTES);
  private final long startNanos = System.nanoTime();

  /** Held by whoever reads the content. Before the lock of this object, never after it. */
  private final Object reading = new Object();

  private final BlockLedger<Carrier> ledger = new BlockLedger<>();
  private final BlockSchedule<Carrier> schedule = new BlockSchedule<>(ledger);
  private final List<Carrier> carriers = new ArrayList<>();
  private final List<Carrier> running = new ArrayList<>();
  private boolean announced;
  private long readBytes;
  private boolean allRead;
  private @Nullable Sha256 sha256;
  private @Nullable FinalReply answer;
  private @Nullable TransferFailed failure;

  /**
   * @param header whose size, where known, is what {@code content} will yield
   * @param patience how long not a single byte may move over a connection before it is given up
   * @throws TransferFailed where the content cannot be read
   */
  public FileTransfer(
      TransferHeader header,
      ReadableByteChannel content,
      Duration patience,
      TransferListener listener)
      throws TransferFailed {
    this.header = header;
    this.patience = patience;
    this.listener = listener;
    try {
      this.content = new Content(header, content);
    } catch (IOException e) {
      throw new TransferFailed("cannot read " + header.name() + ": " + e.getMessage(), e);
    }
  }

  TransferHeader header() {
    return header;
  }

  /** Whether a second connection may join: what it had under way must be readable once more. */
  public boolean canBeShared() {
    return content.canBeReadAgain();
  }

  /** Whether a second connection would still be of use. */
  public synchronized boolean canBeJoined() {
    return !isOver() && canBeShared();
  }

  /**
   * Sends over one more connection from now on.
   *
   * @param connection connected and blocking; closed when the transfer has ended, in either way
   * @return false where the transfer is over and the connection was closed unused
   */
  public boolean over(SocketChannel connection) {
    return add(connection).isPresent();
  }

  private Optional<Carrier> add(SocketChannel connection) {
    Carrier carrier = new Carrier(this, connection, patience, System.nanoTime());
    synchronized (this) {
      if (isOver() || (!carriers.isEmpty() && !canBeShared())) {
        carrier.close();
        return Optional.empty();
      }
      carriers.add(carrier);
      running.add(carrier);
      ledger.add(carrier, carrier.pace());
    }
    carrier.start();
    return Optional.of(carrier);
  }

  /**
   * Sends over one more connection, and waits until nothing more goes over it.
   *
   * @return as of {@link #over}
   */
  public boolean carry(SocketChannel connection) throws InterruptedException {
    Optional<Carrier> carrier = add(connection);
    synchronized (this) {
      while (carrier.filter(this::matters).isPresent()) {
        wait();
      }
    }
    return carrier.isPresent();
  }

  /**
   * Waits for the receiver's answer.
   *
   * @throws TransferFailed where the receiver does not hold the verified file
   */
  public synchronized Sent await() throws TransferFailed {
    try {
      while (!isOver()) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TransferFailed("not delivered: interrupted after " + describe(), e);
    }
    Duration elapsed = Duration.ofNanos(System.nanoTime() - startNanos);
    FinalReply said = answer;
    if (said == null) {
      throw java.util.Objects.requireNonNull(failure);
    }
    if (!said.accepted()) {
      throw new TransferFailed(
          "the receiver refused: %s (%s were sent)".formatted(said.reason(), describe()));
    }
    Sha256 sent = sha256;
    if (sent == null || !said.sha256().equals(sent) || said.bytes() != content.position()) {
      throw new TransferFailed(
          "the receiver confirms another file: %d bytes with SHA-256 %s (sent: %d bytes, %s)"
              .formatted(said.bytes(), said.sha256(), content.position(), sent));
    }
    long wireBytes = carriers.stream().mapToLong(Carrier::wireBytes).sum();
    TransferAccount account = carriers.size() == 1 ? carriers.getFirst().account() : null;
    return new Sent(content.position(), wireBytes, sent, elapsed, account);
  }

  /**
   * Bytes that arrived over each connection and how quickly, in the order in which they were given.
   */
  public synchronized List<Share> shares() {
    long now = System.nanoTime();
    return carriers.stream()
        .map(carrier ->
            new Share(
                carrier.pace().bytes(),
                carrier.pace().averageBitsPerSecond(now),
                carrier.account()))
        .toList();
  }

  /**
   * What a connection carried.
   *
   * @param bitsPerSecond on average, since its beginning
   * @param account what the kernel counted; null where it does not say
   */
  public record Share(long bytes, double bitsPerSecond, @Nullable TransferAccount account) {}

  /** Ends every connection. A transfer that was not over fails at the receiver. */
  @Override
  public void close() {
    List<Carrier> all;
    boolean wasAnnounced;
    synchronized (this) {
      wasAnnounced = announced;
      fail("given up here");
      all = List.copyOf(carriers);
    }
    all.forEach(Carrier::close);
    lane.close();
    if (wasAnnounced) {
      listener.ended();
    }
  }

  /** A connection has sent the header. */
  synchronized void started() {
    if (!announced) {
      announced = true;
      listener.started(header);
    }
  }

  /**
   * What a connection is to write next; waits until there is something.
   *
   * @return null where nothing more goes over it
   */
  @Nullable Piece next(Carrier carrier) throws IOException, InterruptedException {
    while (true) {
      Step step;
      synchronized (this) {
        step = step(carrier);
        if (!matters(carrier)) {
          return null;
        }
        if (step.action() == Action.FINISH) {
          return trailer();
        }
      }
      Range again = step.block();
      Piece block = again == null ? read(carrier) : readAgain(again);
      if (block != null) {
        return block;
      }
    }
  }

  /** Waits until a connection has something to do, or does not matter any more. */
  private Step step(Carrier carrier) throws InterruptedException {
    while (true) {
      Step step =
          schedule.next(
              carrier,
              header.size() - readBytes,
              allRead,
              blockBytes(carrier),
              canBeShared(),
              System.nanoTime());
      if (step.action() != Action.WAIT || !matters(carrier)) {
        return step;
      }
      wait(RECONSIDER_MILLIS);
    }
  }

  /** Quick connections take larger blocks, for which there is less to do a byte. */
  private int blockBytes(Carrier carrier) {
    if (!canBeShared()) {
      return Block.MAX_BYTES;
    }
    double carried = carrier.pace().recentBitsPerSecond(System.nanoTime()) / 8 * BLOCK_SECONDS;
    return (int) Math.clamp(carried, LEAST_BLOCK_BYTES, Block.MAX_BYTES);
  }

  private @Nullable Piece read(Carrier carrier) throws IOException, InterruptedException {
    synchronized (reading) {
      DigestLane.Slot slot = lane.take();
      ByteBuffer buffer = slot.buffer.position(Block.PREFIX_BYTES);
      long offset;
      int length;
      try {
        offset = content.position();
        length = content.read(buffer, most(carrier));
      } catch (TransferFailed e) {
        lane.release(slot);
        throw e;
      }
      if (length > 0) {
        buffer.flip();
        lane.digest(slot, buffer.slice(Block.PREFIX_BYTES, length));
      }
      synchronized (this) {
        if (length == 0) {
          lane.release(slot);
          allRead = true;
          notifyAll();
          return null;
        }
        readBytes = offset + length;
        ledger.sent(carrier, new Range(offset, length), System.nanoTime());
        notifyAll(); // It is lost already if the connection went meanwhile.
      }
      buffer.putInt(0, length).putLong(Block.LENGTH_BYTES, offset);
      return new Piece(buffer, () -> lane.release(slot), false);
    }
  }

  private synchronized int most(Carrier carrier) {
    return blockBytes(carrier);
  }

  private Piece readAgain(Range block) throws TransferFailed {
    ByteBuffer buffer = ByteBuffer.allocate(Block.PREFIX_BYTES + block.length());
    buffer.putInt(block.length()).putLong(block.offset());
    content.readAgain(buffer, block.offset());
    return new Piece(buffer.flip(), () -> {}, false);
  }

  /** May go over more than one connection: the receiver takes the first. */
  private Piece trailer() throws IOException, InterruptedException {
    Sha256 digest = sha256 == null ? lane.finish() : sha256;
    sha256 = digest;
    return new Piece(
        ByteBuffer.allocate(Block.TRAILER_BYTES)
            .putInt(0)
            .putLong(content.position())
            .put(digest.bytes())
            .flip(),
        () -> {},
        true);
  }

  synchronized void arrived(Carrier carrier, Receipt receipt) throws TransferFailed {
    Range block = new Range(receipt.offset(), receipt.length());
    if (!ledger.arrived(carrier, block, System.nanoTime())) {
      throw new TransferFailed("the receiver confirms a block that was not sent");
    }
    listener.moved(ledger.arrivedBytes());
    notifyAll();
  }

  /** What it had under way goes over the other one. */
  private void drop(Carrier carrier) {
    running.remove(carrier);
    ledger.remove(carrier);
    carrier.reset();
    notifyAll();
  }

  synchronized void answered(FinalReply said) {
    if (!isOver()) {
      answer = said;
      notifyAll();
    }
  }

  /** Writing over a connection failed. The receiver's own words explain it best, if it left any. */
  synchronized void broke(Carrier carrier, IOException why) {
    long deadline = System.nanoTime() + LAST_WORDS.toNanos();
    try {
      for (long left = LAST_WORDS.toMillis();
          left > 0 && matters(carrier) && running.size() == 1;
          left = (deadline - System.nanoTime()) / 1_000_000) {
        wait(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    lost(
        carrier,
        "not delivered: %s after %s were sent"
            .formatted(Channels.fate(why, carrier.guard()), describe()));
  }

  /** A connection ended or broke before the receiver had answered. */
  synchronized void silent(Carrier carrier, IOException why) {
    String fate = Channels.fate(why, carrier.guard());
    lost(
        carrier,
        sha256 == null
            ? "not delivered: %s after %s were sent".formatted(fate, describe())
            : "not confirmed: %s before the receiver answered (%s were sent)"
                .formatted(fate, describe()));
  }

  private boolean matters(Carrier carrier) {
    return !isOver() && running.contains(carrier);
  }

  private void lost(Carrier carrier, String words) {
    if (!matters(carrier)) {
      return;
    }
    if (running.size() > 1) {
      drop(carrier);
    } else {
      fail(words);
    }
  }

  synchronized void failed(TransferFailed why) {
    if (!isOver()) {
      failure = why;
      notifyAll();
    }
  }

  /** The content cannot be read: the receiver is told, and nothing more comes. */
  void giveUp(Carrier carrier, TransferFailed why) {
    byte[] reason = String.valueOf(why.getMessage()).getBytes(StandardCharsets.UTF_8);
    int length = Math.min(reason.length, Block.MAX_REASON_BYTES);
    carrier.tell(
        ByteBuffer.allocate(Block.LENGTH_BYTES + 2 + length)
            .putInt(Block.GIVEN_UP)
            .putShort((short) length)
            .put(reason, 0, length)
            .flip());
    synchronized (this) {
      fail("not delivered: " + why.getMessage());
    }
  }

  private void fail(String words) {
    if (!isOver()) {
      failure = new TransferFailed(words);
      notifyAll();
    }
  }

  private boolean isOver() {
    return answer != null || failure != null;
  }

  private String describe() {
    long sent = content.position();
    return header.sizeKnown() ? "%d of %d bytes".formatted(sent, header.size()) : sent + " bytes";
  }
}
