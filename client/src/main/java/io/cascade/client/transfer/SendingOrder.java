package io.cascade.client.transfer;

import io.cascade.client.transfer.TransferConnection.Piece;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.schedule.BlockLedger;
import io.cascade.client.transfer.schedule.BlockLedger.Range;
import io.cascade.client.transfer.schedule.BlockSchedule;
import io.cascade.client.transfer.schedule.BlockSchedule.Action;
import io.cascade.client.transfer.schedule.BlockSchedule.Step;
import io.cascade.client.transfer.wire.Block;
import io.cascade.client.transfer.wire.TransferHeader;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Decides what each connection of a transfer writes next, by the {@link BlockSchedule}: a new
 * block, a repeated one, or the trailer. State is guarded by the transfer's lock.
 */
final class SendingOrder {
  /** Least size of a block that may be sent again: small, so that a slow path delays little. */
  private static final int LEAST_BLOCK_BYTES = 64 * 1024;

  /** Approximate time to send a block, within the limits of its size. */
  private static final double BLOCK_SECONDS = 0.02;

  /** Time without a receipt after which the rates of connections are evaluated again. */
  private static final long RECONSIDER_MILLIS = 100;

  /** Interval of keep-alive messages to a receiver that waits for blocks. */
  private static final long SIGN_OF_LIFE_NANOS = 5_000_000_000L;

  /** Remaining bytes assumed for a pipe that has not ended: more than affects any decision. */
  private static final long UNKNOWN_BYTES = 1L << 50;

  private final FileTransfer transfer;
  private final TransferHeader header;
  private final BlockReader content;
  private final BlockLedger<TransferConnection> ledger;
  private final BlockSchedule<TransferConnection> schedule;
  private final Resumption resumption;
  private @Nullable TransferFailed unreadable;
  private long readBytes;
  private boolean allRead;

  /** Whether a connection was lost, and when the last one was. */
  private boolean anyLost;

  private long lostNanos;

  SendingOrder(
      FileTransfer transfer,
      BlockReader content,
      BlockLedger<TransferConnection> ledger,
      Resumption resumption) {
    this.transfer = transfer;
    this.header = transfer.header();
    this.content = content;
    this.ledger = ledger;
    this.schedule = new BlockSchedule<>(ledger);
    this.resumption = resumption;
  }

  /** A connection joins, see {@link BlockSchedule#join}. */
  void join(TransferConnection connection, boolean preferred, long nowNanos) {
    schedule.join(connection, connection.pace(), preferred, nowNanos);
  }

  /** Restarts reading at the beginning, without what is held. */
  void restart() {
    readBytes = 0;
    allRead = false;
  }

  /** A connection failed; the receiver may be lost as well. */
  void lost(long nowNanos) {
    anyLost = true;
    lostNanos = nowNanos;
  }

  /** The file cannot be read for its digest: the next caller tells the receiver. */
  void unreadable(TransferFailed why) {
    unreadable = why;
  }

  /**
   * Returns what a connection is to write next; waits until there is something.
   *
   * @return null where nothing more is sent over it
   */
  @Nullable Piece next(TransferConnection connection) throws IOException, InterruptedException {
    while (true) {
      Step step;
      synchronized (transfer) {
        step = step(connection);
        if (!transfer.matters(connection)) {
          return transfer.isAbandoned() ? BlockReader.stopped("given up by the user") : null;
        }
        if (step.action() == Action.WAIT) {
          return BlockReader.alive();
        }
        if (step.action() == Action.FINISH) {
          return content.trailer();
        }
        if (step.block() != null && content.keeps()) {
          // The block is kept as long as it has not arrived.
          return content.readAgain(step.block());
        }
      }
      Range again = step.block();
      Piece block = again == null ? read(connection) : content.readAgain(again);
      if (block != null) {
        return block;
      }
    }
  }

  /**
   * Waits until a connection has something to do, or is no longer used.
   *
   * @return {@code WAIT} where a keep-alive message is due
   */
  private Step step(TransferConnection connection) throws TransferFailed, InterruptedException {
    long begin = System.nanoTime();
    while (true) {
      if (unreadable != null) {
        throw unreadable;
      }
      int blockBytes = blockBytes(connection);
      // While nothing more may be read, the blocks in flight on other connections are all that can
      // be sent.
      boolean isFull = !allRead && !content.hasRoom(blockBytes);
      Step next =
          isDoubted(connection)
              ? Step.WAIT
              : schedule.next(
                  connection,
                  unread(),
                  allRead || isFull,
                  blockBytes,
                  transfer.canBeShared(),
                  System.nanoTime());
      Step step = mayBe(next, connection, isFull) ? next : Step.WAIT;
      boolean isLong =
          (transfer.resumable() || content.isWaiting())
              && System.nanoTime() - begin >= SIGN_OF_LIFE_NANOS;
      if (step.action() != Action.WAIT || isLong || !transfer.matters(connection)) {
        return step;
      }
      if (ledger.isIdle(connection)) {
        connection.guard().moved(); // No answer is due, since the connection has nothing in flight.
      }
      transfer.wait(RECONSIDER_MILLIS);
    }
  }

  /**
   * Whether a connection waits for a receipt before it gets another block: another connection was
   * lost, nothing was received over this one since, and the receiver may be lost, which UDP does
   * not report for a while. A connection with nothing in flight gets a block, since no receipt
   * would arrive otherwise.
   */
  private boolean isDoubted(TransferConnection connection) {
    return anyLost && !ledger.isIdle(connection) && !connection.wasHeardSince(lostNanos);
  }

  private boolean mayBe(Step next, TransferConnection connection, boolean isFull) {
    return switch (next.action()) {
      case READ -> !transfer.resumable() || resumption.mayRead(readBytes);
      case FINISH -> !isFull && resumption.mayFinish(connection);
      default -> true;
    };
  }

  private long unread() {
    long size = header.sizeKnown() ? header.size() : readBytes + (allRead ? 0 : UNKNOWN_BYTES);
    long left = size - readBytes - resumption.heldFrom(readBytes);
    return content.holesAhead() == 0
        ? left
        : Math.max(left - content.holesAhead(), Math.min(left, Block.MAX_BYTES));
  }

  /** Quick connections use larger blocks, which cost less work per byte. */
  private int blockBytes(TransferConnection connection) {
    if (!transfer.canBeShared()) {
      return Block.MAX_BYTES;
    }
    double carried = connection.pace().recentBitsPerSecond(System.nanoTime()) / 8 * BLOCK_SECONDS;
    return (int) Math.clamp(carried, LEAST_BLOCK_BYTES, Block.MAX_BYTES);
  }

  private @Nullable Piece read(TransferConnection connection)
      throws IOException, InterruptedException {
    synchronized (content) { // What is held must not change before the end is recorded.
      Piece piece =
          content.read(
              () -> {
                synchronized (transfer) {
                  return blockBytes(connection);
                }
              },
              block -> {
                synchronized (transfer) {
                  readBytes = block.end();
                  ledger.sent(connection, block, System.nanoTime());
                  // If the connection failed meanwhile, the block counts as lost already.
                  transfer.notifyAll();
                }
              });
      if (piece == null) {
        synchronized (transfer) {
          allRead = true;
          transfer.notifyAll();
        }
      }
      return piece;
    }
  }
}
