package io.cascade.client.service;

import io.cascade.api.transfers.Transfer;
import io.cascade.api.transfers.TransferRequest;
import io.cascade.api.transfers.TransferState;
import io.cascade.client.service.ServedTransfer.Event;
import io.cascade.client.service.ServiceProblem.Kind;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The transfers of a service: those that have not ended, and the latest that have, {@value #MOST}
 * in all. States are written to the journal before they are reported; progress is not.
 */
final class TransferTable implements Closeable {
  static final int MOST = 1_000;

  private final TransferJournal journal;
  private final Supplier<Instant> now;
  private final int most;

  /** Transfers in the order of their requests. */
  private final Map<UUID, ServedTransfer> byId = new LinkedHashMap<>();

  /**
   * Held while a state changes and is written, and acquired before the lock of this object, so that
   * progress reports do not wait for the disk.
   */
  private final Object states = new Object();

  private long revision;

  /**
   * Restores the transfers of an earlier process.
   *
   * @param now the time of day
   */
  TransferTable(TransferJournal journal, Supplier<Instant> now) throws IOException {
    this(journal, now, MOST);
  }

  TransferTable(TransferJournal journal, Supplier<Instant> now, int most) throws IOException {
    this.journal = journal;
    this.now = now;
    this.most = most;
    for (ServedTransfer.Kept kept : journal.read()) {
      add(ServedTransfer.of(kept));
      if (byId.size() > most) {
        boolean _ = forgetOne();
      }
    }
    journal.rewrite(byId.values().stream().map(ServedTransfer::kept).toList());
  }

  /**
   * A requested transfer.
   *
   * @param isNew whether this call created it
   */
  record Submission(ServedTransfer transfer, boolean isNew) {}

  /** A transfer as it was after its change of that number. */
  record Change(long revision, Transfer transfer) {}

  /**
   * Adds a transfer, unless one was created with its key.
   *
   * @param key Idempotency-Key; null for none
   * @param to the receiver, without its secret
   * @throws ServiceProblem where the key belongs to another request, or there are too many
   *     transfers
   */
  Submission submit(TransferRequest request, @Nullable String key, String to)
      throws ServiceProblem, IOException {
    synchronized (states) {
      ServedTransfer made = new ServedTransfer(UUID.randomUUID(), request, key, to, now.get());
      synchronized (this) {
        ServedTransfer known = madeBy(key, request);
        if (known != null) {
          return new Submission(known, false);
        }
        if (byId.size() >= most && !forgetOne()) {
          throw new ServiceProblem(
              Kind.TOO_MANY_TRANSFERS,
              "%d transfers are unfinished (expected: fewer)".formatted(most));
        }
      }
      journal.append(made.kept());
      synchronized (this) {
        add(made);
        notifyAll();
      }
      return new Submission(made, true);
    }
  }

  /**
   * The transfer created with a key; null where there is none.
   *
   * @param key null for none
   * @throws ServiceProblem where it was created by another request
   */
  synchronized @Nullable ServedTransfer madeBy(@Nullable String key, TransferRequest request)
      throws ServiceProblem {
    if (key == null) {
      return null;
    }
    for (ServedTransfer one : byId.values()) {
      if (key.equals(one.key())) {
        if (!one.request().equals(request)) {
          throw new ServiceProblem(
              Kind.IDEMPOTENCY_KEY_REUSED, "it created the transfer %s".formatted(one.id()));
        }
        return one;
      }
    }
    return null;
  }

  private void add(ServedTransfer one) {
    byId.put(one.id(), one);
    one.changed(++revision);
  }

  /** Removes the oldest ended transfer; false where there is none. */
  private boolean forgetOne() {
    Iterator<ServedTransfer> oldest = byId.values().iterator();
    while (oldest.hasNext()) {
      if (oldest.next().isOver()) {
        oldest.remove();
        return true;
      }
    }
    return false;
  }

  /**
   * Changes the state of a transfer.
   *
   * @param more what changes with it
   * @return whether the state changed
   */
  boolean move(ServedTransfer one, Event event, Consumer<ServedTransfer> more) throws IOException {
    synchronized (states) {
      ServedTransfer.Kept kept;
      synchronized (this) {
        if (!one.move(event, now.get())) {
          return false;
        }
        more.accept(one);
        one.changed(++revision);
        notifyAll();
        kept = one.kept();
      }
      journal.append(kept);
      if (journal.isLong()) {
        List<ServedTransfer.Kept> all;
        synchronized (this) {
          all = byId.values().stream().map(ServedTransfer::kept).toList();
        }
        journal.rewrite(all);
      }
      return true;
    }
  }

  /** Updates the progress of a running transfer; does nothing for others. */
  synchronized void progress(ServedTransfer one, Consumer<ServedTransfer> change) {
    if (one.state() == TransferState.RUNNING) {
      change.accept(one);
      one.changed(++revision);
      notifyAll();
    }
  }

  /** Records the thread that sends it, so that a stop can interrupt it. */
  synchronized void sentBy(ServedTransfer one, Thread thread) {
    one.sentBy(thread);
  }

  synchronized @Nullable Thread threadOf(ServedTransfer one) {
    return one.thread();
  }

  /** Threads of transfers that have not ended. */
  synchronized List<Thread> threads() {
    List<Thread> threads = new ArrayList<>();
    for (ServedTransfer one : byId.values()) {
      Thread thread = one.thread();
      if (thread != null && !one.isOver()) {
        threads.add(thread);
      }
    }
    return threads;
  }

  /**
   * @throws ServiceProblem where there is none of that number
   */
  synchronized ServedTransfer find(UUID id) throws ServiceProblem {
    ServedTransfer one = byId.get(id);
    if (one == null) {
      throw new ServiceProblem(
          Kind.UNKNOWN_TRANSFER, "%s is not listed; %d are kept".formatted(id, most));
    }
    return one;
  }

  synchronized Transfer document(ServedTransfer one) {
    return one.document();
  }

  /**
   * The transfers, newest first.
   *
   * @param state of these alone; null for all
   */
  synchronized List<Transfer> list(@Nullable TransferState state) {
    return byId.values().stream()
        .filter(one -> state == null || one.state() == state)
        .map(ServedTransfer::document)
        .toList()
        .reversed();
  }

  /** Waiting transfers, in the order of their requests. */
  synchronized List<ServedTransfer> waiting() {
    return byId.values().stream().filter(one -> one.state() == TransferState.WAITING).toList();
  }

  /**
   * Changed transfers, in the order of their latest changes; waits for a change, up to a time-out.
   *
   * @param after number of the last change that is known
   * @param only this transfer; null for all
   */
  synchronized List<Change> changes(long after, @Nullable ServedTransfer only, Duration most)
      throws InterruptedException {
    long deadline = System.nanoTime() + most.toNanos();
    List<Change> changed = since(after, only);
    for (long left = most.toMillis();
        changed.isEmpty() && left > 0;
        left = (deadline - System.nanoTime()) / 1_000_000) {
      wait(left);
      changed = since(after, only);
    }
    return changed;
  }

  private List<Change> since(long after, @Nullable ServedTransfer only) {
    if (revision <= after) {
      return List.of();
    }
    return byId.values().stream()
        .filter(one -> one.revision() > after && (only == null || only.equals(one)))
        .sorted(Comparator.comparingLong(ServedTransfer::revision))
        .map(one -> new Change(one.revision(), one.document()))
        .toList();
  }

  @Override
  public void close() throws IOException {
    synchronized (states) {
      journal.close();
    }
  }
}
