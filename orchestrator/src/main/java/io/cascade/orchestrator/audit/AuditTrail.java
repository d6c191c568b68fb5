package io.cascade.orchestrator.audit;

import io.cascade.api.orchestrator.AuditEntry;
import io.cascade.orchestrator.store.Transactions;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/**
 * Who did what. The first change that a call stores is stored together with the call's entry, so
 * that there is no change without one; the outcome is added when the call is answered. A call that
 * stores nothing gets its entry then.
 */
@Component
public class AuditTrail {
  private static final Logger LOG = LoggerFactory.getLogger(AuditTrail.class);
  static final Duration KEPT = Duration.ofDays(90);
  static final int MOST_ENTRIES = 100_000;
  private static final int PRUNE_EVERY = 100;

  private final AuditStore store;
  private final Transactions transactions;
  private final Timekeeper time;
  private final AtomicLong newest;

  AuditTrail(AuditStore store, Transactions transactions, Timekeeper time) {
    this.store = store;
    this.transactions = transactions;
    this.time = time;
    this.newest = new AtomicLong(store.newest());
    prune();
  }

  /** Stores a change, and with it the entry of the call that this thread answers, if any. */
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
   * Stores a change that makes something or ends it.
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
   * The call was answered.
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

  /** Newest first, of those with smaller numbers. */
  List<AuditEntry> list(long before, int limit) {
    return store.list(before, limit);
  }

  /** What cannot be removed now is removed later: a change that is stored has not failed by it. */
  private void tryToPrune() {
    try {
      prune();
    } catch (DataAccessException e) {
      LOG.warn("old entries of the audit trail stay for now: {}", e.toString());
    }
  }

  private void prune() {
    store.prune(time.now().minus(KEPT), newest.get() - MOST_ENTRIES);
  }
}
