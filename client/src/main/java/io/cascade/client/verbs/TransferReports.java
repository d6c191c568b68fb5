package io.cascade.client.verbs;

import io.cascade.api.HostPort;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.TransferAccount;
import io.cascade.api.orchestrator.TransferReport;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tells the orchestrator what a transfer achieved, so that later plans know it. */
final class TransferReports {
  /** The orchestrator ignores what is less than both. */
  private static final long LEAST_BYTES = 1 << 20;

  private static final double LEAST_SECONDS = 3;

  private final OrchestratorClient client;
  private final HostPort to;
  private final Consumer<String> note;

  /**
   * @param note told of what could not be reported
   */
  TransferReports(OrchestratorClient client, HostPort to, Consumer<String> note) {
    this.client = client;
    this.to = to;
    this.note = note;
  }

  /**
   * Does not fail: the transfer has succeeded.
   *
   * @param relays empty for directly
   * @param account of the connection to the first of them, or to the destination
   */
  void report(
      List<String> relays, long bytes, double bitsPerSecond, @Nullable TransferAccount account) {
    boolean little = bytes < LEAST_BYTES && Byte.SIZE * bytes < LEAST_SECONDS * bitsPerSecond;
    if (little || !(bitsPerSecond > 0)) {
      return;
    }
    try {
      client.report(
          new TransferReport(
              to.toString(), bytes, bitsPerSecond, relays.isEmpty() ? null : relays, account));
    } catch (ProblemException | UnreachableException e) {
      note.accept("the rate was not reported, later plans do not know it: " + e.getMessage());
    }
  }
}
