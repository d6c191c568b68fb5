package io.cascade.client.verbs;

import io.cascade.client.transfer.Bottleneck;
import io.cascade.client.transfer.ToldRate;
import io.cascade.client.transfer.TransferListener;
import io.cascade.client.transfer.receiver.Outcome;
import io.cascade.client.transfer.wire.TransferHeader;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reports transfers to a program, an event a line. A program that does not read delays no transfer:
 * beyond {@value #MOST_WAITING} unread lines events are dropped, except ends of transfers.
 */
final class TransferEvents implements TransferListener, AutoCloseable {
  static final int MOST_WAITING = 1_024;
  private static final Duration PROGRESS = Duration.ofSeconds(1);

  private final BlockingQueue<Optional<TransferEvent>> waiting =
      new ArrayBlockingQueue<>(MOST_WAITING);
  private final Consumer<TransferEvent> out;
  private final Thread writer;

  /** Transfer that began last; at a sender, the only one. */
  private volatile @Nullable UUID latest;

  /**
   * @param out given each event, on one thread
   */
  TransferEvents(Consumer<TransferEvent> out) {
    this.out = out;
    this.writer = Thread.ofVirtual().name("transfer-events").start(this::write);
  }

  @Override
  public TransferListener of(TransferHeader header, String from) {
    return begin(header, from);
  }

  /** Creates the listener of the transfer that this end sends. */
  TransferListener sending(TransferHeader header) {
    return begin(header, null);
  }

  private TransferListener begin(TransferHeader header, @Nullable String from) {
    latest = header.transfer();
    tell(new TransferEvent.Began(header, from));
    return new One(header);
  }

  /** A transfer to this end has ended. */
  void ended(Outcome.Ended outcome) throws InterruptedException {
    tellSurely(
        switch (outcome) {
          case Outcome.Arrived(var received) -> new TransferEvent.Arrived(received);
          case Outcome.Broken broken -> new TransferEvent.Failed(broken);
        });
  }

  /** The receiver has what this end sent. */
  void sent(SendReport report) throws InterruptedException {
    tellSurely(new TransferEvent.Arrived(latest, report));
  }

  /** This end sent nothing, or not everything. */
  void failed(String reason) throws InterruptedException {
    tellSurely(new TransferEvent.Failed(latest, reason));
  }

  private void tell(TransferEvent event) {
    boolean _ = waiting.offer(Optional.of(event));
  }

  private void tellSurely(TransferEvent event) throws InterruptedException {
    waiting.put(Optional.of(event));
  }

  private void write() {
    try {
      for (Optional<TransferEvent> next = waiting.take(); next.isPresent(); next = waiting.take()) {
        out.accept(next.get());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until everything has been written. */
  @Override
  public void close() throws InterruptedException {
    waiting.put(Optional.empty());
    writer.join();
  }

  /** Events of one transfer; called under its lock. */
  private final class One implements TransferListener {
    private final TransferHeader header;
    private final ToldRate rate = new ToldRate(PROGRESS);
    private int toldPlace;

    /** At a receiver, reported by the thread of any connection. */
    private volatile @Nullable Bottleneck slow;

    One(TransferHeader header) {
      this.header = header;
    }

    @Override
    public void moved(long bytes) {
      rate.moved(bytes, System.nanoTime())
          .ifPresent(bitsPerSecond ->
              tell(new TransferEvent.Progress(header, bytes, bitsPerSecond, slow)));
    }

    @Override
    public void slowedBy(@Nullable Bottleneck what) {
      slow = what;
    }

    @Override
    public void waits(int place) {
      if (place != toldPlace) {
        toldPlace = place;
        tell(new TransferEvent.Waiting(header, place));
      }
    }

    @Override
    public void joined(String way) {
      tell(new TransferEvent.WayJoined(header, way));
    }

    @Override
    public void left(String way, String why) {
      tell(new TransferEvent.WayLeft(header, way, why));
    }

    @Override
    public void retries(String why) {
      tell(new TransferEvent.Retrying(header, why));
    }
  }
}
