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
 * One connection of a transfer: one thread writes the blocks that the transfer chooses, another one
 * reads receipts.
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

  /** Time of the receiver's last message, or of the beginning before that. */
  private volatile long heardNanos;

  private @Nullable UUID reception;

  /** Used by the reading thread only. */
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

  /** Name of the connection's way. */
  String way() {
    return way;
  }

  /** Pace at which blocks arrive over the connection. Guarded by the transfer's lock. */
  Pace pace() {
    return pace;
  }

  /** Kernel's account of the connection so far; null where it does not count. */
  @Nullable TransferAccount account() {
    return connection.account();
  }

  /** Records the reception to which the connection belongs. */
  void offered(UUID by) {
    reception = by;
  }

  /** The reception of its receipts; null where the receiver has not named it yet. */
  @Nullable UUID reception() {
    return reception;
  }

  /** Whether the receiver has sent a message over it. */
  boolean isAnswered() {
    return answered;
  }

  /** Whether a message was received over it since that time. */
  boolean wasHeardSince(long nanos) {
    return heardNanos - nanos > 0;
  }

  /**
   * Records that everything was written. Guarded by the transfer's lock, as are the following
   * methods.
   */
  void ended() {
    ended = true;
  }

  /** Whether the receiver was told why nothing more will be sent, and may not have read it yet. */
  boolean awaitsHearing() {
    return told && !inputEnded;
  }

  /** Records that the receiver was told why nothing more will be sent. */
  void hasTold() {
    told = true;
  }

  /** Records a failure to write. */
  void broke(IOException why) {
    failure = why;
  }

  /** Whether it is still writing: it has neither written everything nor failed. */
  boolean writes() {
    return !ended && failure == null;
  }

  /** Failure to write; null where there is none. */
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
          piece.written().run(); // Other connections need the buffer, even if this one failed.
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
   * Bytes to write.
   *
   * @param written to be run when they were written, or could not be
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

  /** Tells the receiver why nothing more will be sent. */
  void tell(ByteBuffer lastWords) {
    told = true;
    try {
      Channels.writeFully(connection, lastWords);
      connection.shutdownOutput();
    } catch (IOException e) {
      // The receiver will see the connection end without the end mark, which suffices.
    }
  }

  /** Resets the connection, discarding everything undelivered. */
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
      // It was to be closed anyway.
    }
  }
}
