package io.cascade.client.transfer;

import io.cascade.api.orchestrator.TransferAccount;
import io.cascade.client.transfer.connection.ByteConnection;
import io.cascade.client.transfer.connection.Channels;
import io.cascade.client.transfer.connection.StallGuard;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.schedule.Pace;
import io.cascade.client.transfer.wire.Checking;
import io.cascade.client.transfer.wire.FinalReply;
import io.cascade.client.transfer.wire.HeldExtents;
import io.cascade.client.transfer.wire.Load;
import io.cascade.client.transfer.wire.Offer;
import io.cascade.client.transfer.wire.Queued;
import io.cascade.client.transfer.wire.Receipt;
import io.cascade.client.transfer.wire.Reply;
import io.cascade.client.transfer.wire.StandingReply;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a transfer: a thread writes blocks, another one reads receipts. Which blocks,
 * says the transfer.
 */
final class TransferConnection implements AutoCloseable {
  private final FileTransfer transfer;
  private final String way;
  private final ByteConnection connection;
  private final StallGuard guard;
  private final Pace pace;
  private final AtomicLong wireBytes = new AtomicLong();
  private boolean ended;
  private boolean inputEnded;
  private volatile boolean told;
  private volatile boolean answered;

  /** Moment at which the receiver was heard last; of the beginning before that. */
  private volatile long heardNanos;

  private @Nullable UUID reception;

  /** Of the thread that reads. */
  private long confirmedBytes;

  private @Nullable IOException failure;

  TransferConnection(
      FileTransfer transfer,
      String way,
      ByteConnection connection,
      Duration patience,
      long startNanos) {
    this.transfer = transfer;
    this.way = way;
    this.connection = connection;
    this.guard = new StallGuard(connection, patience);
    this.pace = new Pace(startNanos);
    this.heardNanos = startNanos;
    connection.begin(startNanos);
  }

  /** Name of the way that the connection takes. */
  String way() {
    return way;
  }

  /** Pace at which blocks arrive over the connection. Of the transfer's lock. */
  Pace pace() {
    return pace;
  }

  /** Account of the connection by the kernel so far; null where it does not count. */
  @Nullable TransferAccount account() {
    return connection.account();
  }

  /** Notes what the receiver calls what it holds. */
  void offered(UUID by) {
    reception = by;
  }

  /** Which reception its receipts are of; null where the receiver has not said so yet. */
  @Nullable UUID reception() {
    return reception;
  }

  /** Whether the receiver has said anything over it. */
  boolean isAnswered() {
    return answered;
  }

  /** Whether the receiver was heard over it since a moment. */
  boolean wasHeardSince(long nanos) {
    return heardNanos - nanos > 0;
  }

  /** Notes that everything was written. Of the transfer's lock, as what follows. */
  void ended() {
    ended = true;
  }

  /** Whether the receiver was told why nothing more comes, and may not have heard it yet. */
  boolean awaitsHearing() {
    return told && !inputEnded;
  }

  /** Notes that the receiver was told why nothing more comes. */
  void hasTold() {
    told = true;
  }

  /** Notes what writing met. */
  void broke(IOException why) {
    failure = why;
  }

  /** Whether neither everything was written nor anything went wrong. */
  boolean writes() {
    return !ended && failure == null;
  }

  /** Failure that writing met; null where it met none. */
  @Nullable IOException failure() {
    return failure;
  }

  long wireBytes() {
    return wireBytes.get();
  }

  StallGuard guard() {
    return guard;
  }

  void start() {
    Thread.ofVirtual().name("receipts").start(this::read);
    Thread.ofVirtual().name("blocks").start(this::write);
  }

  private void write() {
    try {
      write(transfer.header().encode());
      transfer.started();
      for (Piece piece = transfer.next(this); piece != null; piece = transfer.next(this)) {
        try {
          write(piece.bytes());
        } finally {
          piece.written().run(); // Others need the buffer, also where this connection broke.
        }
        if (piece.last()) {
          connection.shutdownOutput();
          transfer.ended(this);
          return;
        }
      }
    } catch (TransferFailed e) {
      transfer.giveUp(this, e);
    } catch (IOException e) {
      transfer.broke(this, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Bytes that are to be written.
   *
   * @param written to be run when it was, or could not be
   * @param last whether nothing follows
   */
  record Piece(ByteBuffer bytes, Runnable written, boolean last) {}

  private void read() {
    try {
      while (true) {
        Reply reply = Reply.read(connection);
        answered = true;
        heardNanos = System.nanoTime();
        switch (reply) {
          case Offer offer -> {
            guard.moved();
            transfer.offered(this, offer);
          }
          case HeldExtents held -> {
            guard.moved();
            transfer.held(this, held.extents());
          }
          case Checking _ -> {
            guard.moved();
            transfer.moved();
          }
          case StandingReply standing -> {
            guard.moved();
            transfer.stand(standing);
          }
          case Queued(int place) -> {
            guard.moved();
            transfer.waits(place);
          }
          case Load load -> {
            guard.moved();
            transfer.heard(load);
          }
          case Receipt receipt -> {
            guard.moved();
            confirmedBytes += transfer.arrived(this, receipt);
            connection.look(System.nanoTime(), confirmedBytes);
          }
          case FinalReply answer -> {
            transfer.answered(answer);
            return;
          }
        }
      }
    } catch (TransferFailed e) {
      transfer.failed(e);
    } catch (IOException e) {
      transfer.silent(this, e);
    } finally {
      synchronized (transfer) {
        inputEnded = true;
        transfer.notifyAll();
      }
    }
  }

  private void write(ByteBuffer bytes) throws IOException {
    int length = bytes.remaining();
    while (bytes.hasRemaining()) {
      connection.write(bytes);
      guard.moved();
    }
    wireBytes.addAndGet(length);
  }

  /** Tells the receiver why nothing more comes, so that neither end has to guess. */
  void tell(ByteBuffer lastWords) {
    told = true;
    try {
      Channels.writeFully(connection, lastWords);
      connection.shutdownOutput();
    } catch (IOException e) {
      // The receiver will see the connection end without the mark; that says enough.
    }
  }

  /** Drops the connection with everything that it has not delivered. */
  void reset() {
    guard.close();
    connection.reset();
  }

  @Override
  public void close() {
    guard.close();
    try {
      connection.close();
    } catch (IOException e) {
      // Closed is what it was to be.
    }
  }
}
