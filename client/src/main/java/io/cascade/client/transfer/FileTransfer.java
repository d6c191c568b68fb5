package io.cascade.client.transfer;

import io.cascade.client.transfer.TransferConnection.Piece;
import io.cascade.client.transfer.connection.ByteConnection;
import io.cascade.client.transfer.connection.Channels;
import io.cascade.client.transfer.connection.RateLimit;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.content.Extents.Extent;
import io.cascade.client.transfer.content.Sha256;
import io.cascade.client.transfer.schedule.BlockLedger;
import io.cascade.client.transfer.schedule.BlockLedger.Range;
import io.cascade.client.transfer.schedule.BlockSchedule;
import io.cascade.client.transfer.wire.FinalReply;
import io.cascade.client.transfer.wire.Load;
import io.cascade.client.transfer.wire.Offer;
import io.cascade.client.transfer.wire.Receipt;
import io.cascade.client.transfer.wire.StandingReply;
import io.cascade.client.transfer.wire.TransferHeader;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.ReadableByteChannel;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The sending end of a transfer over one connection, or over several that share its blocks ({@link
 * BlockSchedule}). Memory use is constant, whatever the size.
 *
 * <p>The blocks in flight on a failed connection are sent again over another one, if the content
 * can be read again. Only what has arrived counts as moved. If the header is resumable, the
 * transfer outlives its last connection, and its owner adds another one.
 *
 * <p>It holds one state, under its own lock: which bytes are to be sent, in flight and arrived
 * ({@link BlockLedger}), over which connections ({@link TransferConnections}), and how it ends
 * ({@link Conclusion}). Another thread may wait for a change of any of them.
 */
public final class FileTransfer implements AutoCloseable {
  private static final Duration LAST_WORDS = Duration.ofSeconds(1);

  private TransferHeader header;
  private final BlockReader content;
  private Endurance endurance;
  private final BottleneckWatch listener;

  /** Time of the first connection. */
  private long startNanos;

  private final BlockLedger<TransferConnection> ledger = new BlockLedger<>();
  private final TransferConnections connections = new TransferConnections();
  private final Resumption resumption;
  private final SendingOrder order;
  private Conclusion end;
  private RateLimit limit = RateLimit.NONE;
  private boolean abandoned;

  /**
   * @param header whose size, where known, is what {@code content} will yield
   * @param original which must not change until everything was read
   * @param patience how long no byte may be moved over a connection before it is closed; where the
   *     header is resumable, how long none may arrive before the transfer fails
   * @throws TransferFailed where the content cannot be read
   */
  public FileTransfer(
      TransferHeader header,
      ReadableByteChannel content,
      Original original,
      Duration patience,
      TransferListener listener)
      throws TransferFailed {
    this(header, content, original, false, Endurance.of(patience), listener);
  }

  private FileTransfer(
      TransferHeader header,
      ReadableByteChannel content,
      Original original,
      boolean keeps,
      Endurance endurance,
      TransferListener listener)
      throws TransferFailed {
    this.header = header;
    this.endurance = endurance;
    this.content = BlockReader.of(header, content, original, keeps);
    this.listener = new BottleneckWatch(this.content, listener);
    this.resumption = new Resumption(header, this.content, ledger, SourceCheck.listener(this));
    this.order = new SendingOrder(this, this.content, ledger, resumption);
    this.end = new Conclusion(endurance.retryFor(), System.nanoTime());
  }

  /**
   * Creates a transfer that several connections may share although its content can be read once,
   * such as stdin: blocks are kept until they have arrived, up to 8 MiB of them, and of entries 32
   * MiB from the first one that has not. It does not outlive its last connection.
   */
  public static FileTransfer ofStream(
      TransferHeader header,
      ReadableByteChannel content,
      Duration patience,
      TransferListener listener)
      throws TransferFailed {
    return new FileTransfer(header, content, Original.NONE, true, Endurance.of(patience), listener);
  }

  /**
   * Sets for how long the transfer retries without an arriving byte, also before a first connection
   * ({@link #persists}), and reports that to the receiver. Called before it connects.
   *
   * @param longest how long none may arrive before the transfer fails
   */
  public FileTransfer retryingFor(Duration longest) {
    endurance = endurance.retryingFor(longest);
    header = header.with(header.fields().retryingFor(longest));
    end = new Conclusion(endurance.retryFor(), System.nanoTime());
    return this;
  }

  /** Sets a rate limit for all connections together; called before the first of them. */
  public FileTransfer limitedTo(RateLimit most) {
    limit = most;
    listener.limited(most);
    return this;
  }

  TransferHeader header() {
    return header;
  }

  /** Whether a second connection may join: a block in flight on it must be readable again. */
  public boolean canBeShared() {
    return content.canBeReadAgain();
  }

  /** Whether its size is known before it has been read. */
  public boolean isOfKnownSize() {
    return header.sizeKnown();
  }

  /** Whether it may have so many bytes outside of holes. */
  public boolean mayHave(long bytes) {
    return !header.sizeKnown() || header.dataBytes() >= bytes;
  }

  /** Whether a second connection would still help. */
  public synchronized boolean canBeJoined() {
    return !isOver() && canBeShared();
  }

  /** Whether a first connection that cannot be made is to be retried, as its user requested. */
  public synchronized boolean persists() {
    return endurance.persists() && canBeJoined();
  }

  /**
   * Sends over one more connection from now on.
   *
   * @param connection connected and blocking; closed when the transfer has ended, in either way
   * @return false where the transfer has ended and the connection was closed unused
   */
  public boolean over(ByteConnection connection) {
    return add(connection, "connection " + shares().size(), false).isPresent();
  }

  /** Whether a receiver has sent any message over any connection. */
  public synchronized boolean isAnswered() {
    return connections.anyAnswered();
  }

  boolean resumable() {
    return header.resumable() && canBeShared();
  }

  private Optional<TransferConnection> add(
      ByteConnection connection, String way, boolean preferred) {
    long now = System.nanoTime();
    TransferConnection added =
        new TransferConnection(
            this, way, limit.over(connection), endurance.ofConnection(resumable()), now);
    synchronized (this) {
      if (isOver() || (!connections.all().isEmpty() && !canBeShared())) {
        added.close();
        return Optional.empty();
      }
      if (connections.all().isEmpty()) {
        startNanos = now;
        end.connected(resumable(), now);
      }
      connections.add(added);
      order.join(added, preferred, now);
      listener.joined(way);
    }
    added.start();
    return Optional.of(added);
  }

  /**
   * Sends over one more connection, and waits until the transfer no longer uses it.
   *
   * @param way name of its way, by which {@link #share} sums
   * @param preferred whether it is expected to be quicker alone than with another one beside it,
   *     which then stands by
   * @return how many bytes arrived over it; 0 where the transfer had ended
   */
  public long carry(ByteConnection connection, String way, boolean preferred)
      throws InterruptedException {
    Optional<TransferConnection> added = add(connection, way, preferred);
    synchronized (this) {
      awaitThat(() -> added.filter(this::matters).isEmpty());
      return added.map(one -> one.pace().bytes()).orElse(0L);
    }
  }

  /** Waits for so long, or until the transfer has ended. */
  public synchronized void pause(Duration time) throws InterruptedException {
    waitUntil(this::isOver, time);
    if (end.millisLeft(System.nanoTime()) <= 0) {
      end.giveUp(describe());
      notifyAll();
    }
  }

  /**
   * Waits for the receiver's answer.
   *
   * @throws TransferFailed where the receiver does not hold the verified file
   */
  public synchronized Sent await() throws TransferFailed {
    try {
      awaitThat(this::isOver);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TransferFailed("not delivered: interrupted after " + describe(), e);
    }
    Sha256 sent = end.verified(content.position(), content.sha256(), describe());
    Duration elapsed = Duration.ofNanos(end.answeredNanos() - startNanos);
    return connections.sent(
        content.position(), sent, elapsed, listener.overall(elapsed, end.answeredNanos()));
  }

  /** Waits for the condition, up to a time-out. */
  private void waitUntil(BooleanSupplier condition, Duration time) throws InterruptedException {
    long deadline = System.nanoTime() + time.toNanos();
    for (long left = time.toMillis();
        left > 0 && !condition.getAsBoolean();
        left = (deadline - System.nanoTime()) / 1_000_000) {
      wait(left);
    }
  }

  private void waitUninterruptedly(BooleanSupplier condition, Duration time) {
    try {
      waitUntil(condition, time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for the condition; fails the transfer where nothing has arrived for too long. */
  private void awaitThat(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      long left = end.millisLeft(System.nanoTime());
      if (left > 0) {
        wait(left);
      } else {
        end.giveUp(describe());
        notifyAll();
      }
    }
  }

  /** What each connection carried, in the order in which they were added. */
  public synchronized List<Carried> shares() {
    return connections.shares(System.nanoTime());
  }

  /** What the connections of one way carried together; empty where there was none. */
  public synchronized Optional<Carried> share(String way) {
    return connections.share(way, System.nanoTime());
  }

  /** Closes every connection. An unfinished transfer fails at the receiver. */
  @Override
  public void close() {
    List<TransferConnection> all;
    synchronized (this) {
      if (abandoned) { // Connections still send the cancellation.
        waitUninterruptedly(connections::noneRuns, LAST_WORDS);
      }
      failed(new TransferFailed("given up by this end"));
      waitUninterruptedly(connections::haveHeard, TransferConnections.HEARING);
      all = connections.all();
    }
    all.forEach(TransferConnection::close);
    content.close();
    listener.ended();
  }

  /**
   * Cancels a transfer on its user's request, and tells the receiver, which would otherwise wait
   * for another connection. Waits for that up to a time-out.
   */
  public synchronized void abandon(Duration time) {
    if (isOver()) {
      return;
    }
    abandoned = true;
    failed(new TransferFailed("given up by this end"));
    waitUninterruptedly(connections::noneRuns, time);
  }

  /** A connection's output has ended. */
  synchronized void ended(TransferConnection connection) {
    connection.ended();
    if (abandoned) {
      connection.hasTold();
      connections.stopped(connection);
    }
    notifyAll();
  }

  /** A connection has sent the header. */
  synchronized void started() {
    listener.started(header);
  }

  /**
   * Returns what a connection is to write next; waits until there is something.
   *
   * @return null where nothing more is sent over it
   */
  @Nullable Piece next(TransferConnection connection) throws IOException, InterruptedException {
    return order.next(connection);
  }

  /**
   * Processes the receiver's offer. If it belongs to another reception than before, because the
   * receiver or this end was restarted or something was damaged, everything else is sent.
   */
  void offered(TransferConnection connection, Offer offer) throws TransferFailed {
    synchronized (content) { // Same lock order as where blocks are read.
      synchronized (this) {
        if (matters(connection) && resumption.offered(connection, offer)) {
          connections.all().stream()
              .filter(other -> connections.runs(other) && resumption.isPast(other))
              .forEach(this::drop);
          resumption.goOnWith(offer.held());
          order.restart();
        }
        moved();
        listener.moved(ledger.arrivedBytes());
      }
    }
  }

  synchronized void held(TransferConnection connection, List<Extent> extents) {
    resumption.held(connection, extents);
  }

  /** Bytes other than a block have been moved. */
  synchronized void moved() {
    long now = System.nanoTime();
    end.arrived(now);
    listener.movedOtherwise(ledger.arrivedBytes(), now);
    notifyAll();
  }

  /** Processes what the receiver has of entries. */
  void stand(StandingReply reply) {
    content.answered(reply);
    moved();
  }

  /** The receiver processes other transfers first. */
  synchronized void waits(int place) {
    moved();
    listener.waits(place);
  }

  /** Processes the receiver's load. */
  synchronized void heard(Load load) {
    listener.heard(load, System.nanoTime());
  }

  /** The receiver holds other bytes of the file there than the second reading found. */
  synchronized void sendAnew(Extent extent) {
    ledger.sendAnew(extent.offset(), extent.end());
  }

  /** The file cannot be read for its digest: the next thread that sends tells the receiver. */
  synchronized void unreadable(TransferFailed why) {
    order.unreadable(why);
    notifyAll();
  }

  /**
   * The receiver has a block.
   *
   * @return bytes that the connection carried for it: none for a hole
   */
  synchronized int arrived(TransferConnection connection, Receipt receipt) throws TransferFailed {
    Range block = new Range(receipt.offset(), receipt.length());
    if (!resumption.isCurrent(connection)) {
      return 0; // From a reception that is no longer current.
    }
    Range sent =
        ledger
            .arrived(connection, block, System.nanoTime())
            .orElseThrow(
                () -> new TransferFailed("the receiver confirms a block that was not sent"));
    content.arrived(block);
    end.arrived(System.nanoTime());
    listener.moved(ledger.arrivedBytes());
    notifyAll();
    return sent.carried();
  }

  /** Drops a connection: its blocks in flight are sent over other ones. */
  private void drop(TransferConnection connection) {
    connections.stopped(connection);
    ledger.remove(connection);
    connection.reset();
    content.answersLost();
    notifyAll();
  }

  synchronized void answered(FinalReply said) {
    end.answered(said, System.nanoTime());
    notifyAll();
  }

  /** Writing over a connection failed. A message from the receiver explains it best, if any. */
  synchronized void broke(TransferConnection connection, IOException why) {
    connection.broke(why);
    notifyAll();
    waitUninterruptedly(() -> !matters(connection) || connections.severalRun(), LAST_WORDS);
    lost(
        connection,
        "not delivered: %s after %s were sent"
            .formatted(Channels.fate(why, connection.guard()), describe()));
  }

  /**
   * A connection ended or failed before the receiver had answered. The kernel reports a reset once:
   * if it reported it to the writer, the reader sees an end of input.
   */
  synchronized void silent(TransferConnection connection, IOException why) {
    IOException cause = why;
    if (why instanceof EOFException) {
      waitUninterruptedly(
          () -> !matters(connection) || connections.severalRun() || !connection.writes(),
          LAST_WORDS);
      cause = Objects.requireNonNullElse(connection.failure(), why);
    }
    String fate = Channels.fate(cause, connection.guard());
    lost(
        connection,
        content.sha256() == null
            ? "not delivered: %s after %s were sent".formatted(fate, describe())
            : "not confirmed: %s before the receiver answered (%s were sent)"
                .formatted(fate, describe()));
  }

  /** Whether a connection is still used. Guarded by this object's lock. */
  boolean matters(TransferConnection connection) {
    return !isOver() && connections.runs(connection);
  }

  private void lost(TransferConnection connection, String words) {
    if (!matters(connection)) {
      return;
    }
    if (connections.severalRun() || resumable()) {
      end.broke(words);
      order.lost(System.nanoTime());
      drop(connection);
      listener.left(connection.way(), words);
      if (connections.noneRuns()) {
        listener.retries(words);
      }
    } else {
      listener.left(connection.way(), words);
      if (endurance.persists()) {
        listener.retries(words);
      }
      // The receiver answers senders in its queue, too.
      failed(TransferFailed.lost(words, ledger.arrivedBytes() > 0 || connections.anyAnswered()));
    }
  }

  /** Fails the transfer, unless it has ended. */
  public synchronized void failed(TransferFailed why) {
    end.failed(why);
    notifyAll();
  }

  /** The content cannot be read: tells the receiver, and sends nothing more. */
  void giveUp(TransferConnection connection, TransferFailed why) {
    connection.tell(BlockReader.ended(why).bytes());
    synchronized (this) {
      failed(new TransferFailed("not delivered: " + why.getMessage()));
    }
  }

  /** Whether its user cancelled it. Guarded by this object's lock. */
  boolean isAbandoned() {
    return abandoned;
  }

  /** Returns whether the transfer has succeeded or failed. */
  public synchronized boolean isOver() {
    return end.reached();
  }

  private String describe() {
    return header.progress(content.position());
  }
}
