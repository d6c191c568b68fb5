package io.cascade.orchestrator.transfers;

import io.cascade.api.orchestrator.RunningTransfer;
import io.cascade.api.orchestrator.TransferProgress;
import io.cascade.api.orchestrator.TransferState;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Transfers that clients send. Not stored: after a restart of the orchestrator every sender reports
 * again within seconds, and transfers that have ended by then are no longer of interest.
 */
@Component
class RunningTransfers {
  static final int MOST = 1_000;

  /** Most transfers of one caller, so that it cannot displace those of all others. */
  static final int MOST_OF_ONE = 100;

  private final Timekeeper time;

  /** By start, the earliest first. */
  private final LinkedHashMap<KnownTransfer.Name, KnownTransfer> transfers = new LinkedHashMap<>();

  RunningTransfers(Timekeeper time) {
    this.time = time;
  }

  /**
   * Accepts a report.
   *
   * @param client address of the sender
   * @throws Refusal if there are too many transfers
   */
  synchronized void report(KnownTransfer.Name name, String client, TransferProgress progress) {
    Instant now = time.steady();
    transfers.values().removeIf(one -> one.isPast(now));
    if (!transfers.containsKey(name)) {
      if (name.owner() != null) {
        makeRoom(now, MOST_OF_ONE, one -> Objects.equals(one.owner(), name.owner()));
      }
      makeRoom(now, MOST, _ -> true);
    }
    transfers.put(name, new KnownTransfer(name, client, progress, now));
  }

  /** Removes the first transfer that is over if the limit is reached. */
  private void makeRoom(Instant now, int most, Predicate<KnownTransfer.Name> among) {
    if (transfers.keySet().stream().filter(among).count() < most) {
      return;
    }
    for (Iterator<KnownTransfer> each = transfers.values().iterator(); each.hasNext(); ) {
      KnownTransfer one = each.next();
      if (among.test(one.name()) && one.state(now) != TransferState.RUNNING) {
        each.remove();
        return;
      }
    }
    throw new Refusal(
        ProblemKind.LIMIT_REACHED,
        most + " transfers run and are shown; this one continues without being shown");
  }

  /**
   * Transfers that are running or ended recently, the latest start first.
   *
   * @param visible selects owners; null stands for a shared credential
   */
  synchronized List<RunningTransfer> list(Predicate<@Nullable String> visible) {
    Instant now = time.steady();
    transfers.values().removeIf(one -> one.isPast(now));
    return new ArrayList<>(transfers.values())
        .reversed().stream()
            .filter(one -> visible.test(one.name().owner()))
            .map(one -> one.document(now))
            .toList();
  }
}
