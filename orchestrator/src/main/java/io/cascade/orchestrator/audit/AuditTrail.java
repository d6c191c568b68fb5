package io.cascade.orchestrator.audit;

import io.cascade.api.orchestrator.AuditEntry;
import io.cascade.orchestrator.store.Transactions;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/**
 * Trail of what callers did. The first change of a call is stored in one transaction with the
 * call's entry, so that there is no change without an entry; the outcome is added when the call is
 * answered. A call that stores nothing gets its entry when it is answered.
 */
@Component
public class AuditTrail {
  private static final Logger LOG = LoggerFactory.getLogger(AuditTrail.class);
  static final Duration KEPT = Duration.ofDays(90);

  /**
   * A period without entries that makes the clock suspect: either that time passed, or the clock of
   * a host was set ahead.
   */
  static final Duration GAP = Duration.ofDays(30);

  static final int MOST_ENTRIES = 100_000;
  private static final int PRUNE_EVERY = 100;

  private final AuditStore store;
  private final Transactions transactions;
  private final Timekeeper time;
  private final AtomicLong newest;
  private final AtomicReference<@Nullable Instant> toldOfGap = new AtomicReference<>();

  AuditTrail(AuditStore store, Transactions transactions, Timekeeper time) {
    this.store = store;
    this.transactions = transactions;
    this.time = time;
    this.newest = new AtomicLong(store.newest());
    prune();
  }

  /** Stores a change, together with the entry of the call that this thread answers, if any. */
  public void change(Runnable write) {
    AuditedCall call = AuditedCall.CURRENT.orElse(NOBODY);
    if (call.operation() == null || call.entry() != 0) {
      write.run();
      return;
    }
    long number = newest.incrementAndGet();
    transactions.run(() -> {
      store.insert(number, time.now(), call, null);
      write.run();
    });
    call.hasEntry(number);
    if (number % PRUNE_EVERY == 0) {
      tryToPrune();
    }
  }

  private static final AuditedCall NOBODY = new AuditedCall("-", null, "-");

  /**
   * Stores a change that creates or ends an object.
   *
   * @param object its name or id
   */
  public void change(String object, Runnable write) {
    if (AuditedCall.CURRENT.isBound()) {
      AuditedCall.CURRENT.get().of(object);
    }
    change(write);
  }

  /**
   * Records that a call was answered.
   *
   * @param outcome status of the answer
   */
  public void answered(AuditedCall call, int outcome) {
    if (call.operation() == null) {
      return;
    }
    try {
      if (call.entry() != 0) {
        store.finish(call.entry(), call.object(), outcome);
        return;
      }
      long number = newest.incrementAndGet();
      store.insert(number, time.now(), call, outcome);
      if (number % PRUNE_EVERY == 0) {
        prune();
      }
    } catch (DataAccessException e) {
      LOG.warn(
          "not in the audit trail: {} by {} from {}, answered {}",
          call.operation(),
          call.caller(),
          call.address(),
          outcome);
    }
  }

  /** The entries with numbers below {@code before}, newest first. */
  List<AuditEntry> list(long before, int limit) {
    return store.list(before, limit);
  }

  /** Prunes; a failure is logged and retried later, since the change itself has been stored. */
  private void tryToPrune() {
    try {
      prune();
    } catch (DataAccessException e) {
      LOG.warn("old entries of the audit trail were not removed: {}", e.toString());
    }
  }

  private void prune() {
    removeAged();
    if (store.count() > MOST_ENTRIES) {
      AuditShares.excess(store.holders(), MOST_ENTRIES).forEach(store::removeOldest);
    }
  }

  /**
   * Removes aged entries except those before a gap: while the clock of a host is years ahead every
   * entry seems aged, and removal could not be undone.
   */
  private void removeAged() {
    Instant now = time.now();
    Instant aged = now.minus(KEPT);
    Instant gap = store.lastBeforeGap(aged, now, GAP);
    store.remove(gap == null ? Instant.EPOCH : gap, aged);
    if (gap != null && !gap.equals(toldOfGap.getAndSet(gap))) {
      LOG.info(
          "the audit trail has no entry for {} days after {}, so older entries are kept: either no"
              + " call was made, or a clock was set ahead; the clock here says {}",
          GAP.toDays(),
          gap,
          now);
    }
  }
}
