package io.cascade.client.service;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.transfers.Slow;
import io.cascade.api.transfers.Transfer;
import io.cascade.client.api.Sender;
import io.cascade.client.service.ServedTransfer.Event;
import io.cascade.client.transfer.Bottleneck;
import io.cascade.client.transfer.Sent;
import io.cascade.client.transfer.ToldRate;
import io.cascade.client.transfer.TransferListener;
import io.cascade.client.transfer.wire.TransferHeader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends the files of a table's transfers, a bounded number at a time, in the order of their
 * requests.
 */
final class Runs {
  /** Time for messages to receivers when the service ends. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(3);

  private final TransferTable table;
  private final Outgoing outgoing;
  private final OrchestratorClient orchestrator;
  private final Consumer<Transfer> ended;
  private final Semaphore places;
  private volatile boolean ending;

  /**
   * @param atOnce most transfers at a time
   * @param ended told of each transfer that has ended
   */
  Runs(
      TransferTable table,
      Outgoing outgoing,
      OrchestratorClient orchestrator,
      int atOnce,
      Consumer<Transfer> ended) {
    this.table = table;
    this.outgoing = outgoing;
    this.orchestrator = orchestrator;
    this.ended = ended;
    this.places = new Semaphore(atOnce, true);
  }

  /** Sends a transfer as soon as fewer than the limit run. */
  void begin(ServedTransfer one) {
    Thread thread = Thread.ofVirtual().name("transfer").unstarted(() -> await(one));
    table.sentBy(one, thread);
    thread.start();
  }

  private void await(ServedTransfer one) {
    try {
      places.acquire();
    } catch (InterruptedException e) {
      return; // It was stopped, or the service ends.
    }
    try {
      run(one);
    } finally {
      places.release();
    }
  }

  private void run(ServedTransfer one) {
    try {
      if (ending || !table.move(one, Event.BEGINS, _ -> {})) {
        return;
      }
      Path file = outgoing.file(one.request());
      Sender sender = outgoing.sender(one.request()).heardBy(new Progress(table, one));
      Sent sent = sender.planningWith(orchestrator).send(file);
      move(one, Event.ARRIVES, _ -> arrived(one, sent));
    } catch (IOException | ServiceProblem | RuntimeException e) {
      if (!ending) { // Otherwise the next process continues it.
        move(one, Event.FAILS, _ -> one.because(String.valueOf(e.getMessage())));
      }
    }
  }

  private static void arrived(ServedTransfer one, Sent sent) {
    one.opened(sent.bytes());
    one.moved(sent.bytes(), sent.bytes() * 8e9 / Math.max(1, sent.elapsed().toNanos()));
    one.verified(sent.sha256().toString());
  }

  /**
   * Stops a transfer, unless it has ended.
   *
   * @throws IOException where that cannot be written to the journal
   */
  void stop(ServedTransfer one) throws IOException {
    boolean stopped = true;
    try {
      stopped = table.move(one, Event.STOPS, _ -> {});
    } finally { // The transfer is stopped even if the journal could not be written.
      Thread thread = table.threadOf(one);
      if (stopped && thread != null) {
        thread.interrupt();
      }
    }
    if (stopped) {
      ended.accept(table.document(one));
    }
  }

  private void move(ServedTransfer one, Event event, Consumer<ServedTransfer> more) {
    try {
      if (table.move(one, event, more)) {
        ended.accept(table.document(one));
      }
    } catch (IOException e) {
      // Reported nevertheless; after a restart it is sent again, and the receiver has it already.
      ended.accept(table.document(one));
    }
  }

  /**
   * Ends all running transfers. Receivers keep what has arrived, and the next process continues
   * them.
   */
  void end() {
    ending = true;
    List<Thread> threads = table.threads();
    threads.forEach(Thread::interrupt);
    long deadline = System.nanoTime() + LAST_WORDS.toNanos();
    try {
      for (Thread thread : threads) {
        boolean _ = thread.join(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  boolean isEnding() {
    return ending;
  }

  /** Records the progress of a transfer. Called under the transfer's lock. */
  private static final class Progress implements TransferListener {
    private static final Duration INTERVAL = Duration.ofMillis(500);

    private final TransferTable table;
    private final ServedTransfer one;
    private final ToldRate rate = new ToldRate(INTERVAL);
    private @Nullable Integer toldPlace;

    Progress(TransferTable table, ServedTransfer one) {
      this.table = table;
      this.one = one;
    }

    @Override
    public void started(TransferHeader header) {
      table.progress(one, it -> it.opened(header.sizeKnown() ? header.size() : null));
    }

    @Override
    public void moved(long bytes) {
      rate.moved(bytes, System.nanoTime())
          .ifPresent(bitsPerSecond -> {
            toldPlace = null;
            table.progress(one, it -> it.moved(bytes, bitsPerSecond));
          });
    }

    @Override
    public void slowedBy(@Nullable Bottleneck what) {
      Slow slow = what == null ? null : Slow.valueOf(what.name());
      table.progress(one, it -> it.slowedBy(slow));
    }

    @Override
    public void waits(int place) {
      if (toldPlace == null || place != toldPlace) {
        toldPlace = place;
        table.progress(one, it -> it.waits(place));
      }
    }

    @Override
    public void joined(String way) {
      table.progress(one, it -> it.joined(way));
    }

    @Override
    public void left(String way, String why) {
      table.progress(one, it -> it.left(way));
    }

    @Override
    public void retries(String why) {
      table.progress(one, it -> it.because(why));
    }
  }
}
