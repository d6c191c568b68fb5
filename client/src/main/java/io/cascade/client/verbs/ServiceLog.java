package io.cascade.client.verbs;

import io.cascade.api.transfers.Transfer;
import io.cascade.client.transfer.Received;
import io.cascade.client.transfer.receiver.Outcome;
import io.cascade.command.DataSize;
import io.cascade.command.Printable;
import io.cascade.contract.Quantities;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The end of a transfer as a line of a service's log: the parties, the content, the result, the
 * duration.
 */
final class ServiceLog {
  private ServiceLog() {}

  /** The end of a transfer that was requested from a service. */
  static String line(Transfer transfer) {
    String what =
        "%s to %s, %s".formatted(transfer.file(), transfer.to(), DataSize.format(transfer.bytes()));
    String time = ", in " + Quantities.seconds(seconds(transfer));
    return Printable.line(
        switch (transfer.state()) {
          case ARRIVED -> "sent: %s, sha256 %s%s".formatted(what, transfer.sha256(), time);
          case FAILED -> "failed: %s had arrived: %s%s".formatted(what, transfer.reason(), time);
          case STOPPED -> "stopped: %s had arrived%s".formatted(what, time);
          case WAITING, RUNNING -> "resuming: " + what;
        });
  }

  /** The name that the sender gives, if any, and its address. */
  private static String who(@Nullable String sender, String from) {
    return sender == null ? from : "%s at %s".formatted(sender, from);
  }

  private static double seconds(Transfer transfer) {
    Instant from = transfer.startedAt();
    Instant to = transfer.endedAt();
    return from == null || to == null ? 0 : Math.max(0, Duration.between(from, to).toNanos() / 1e9);
  }

  /** A sender that was refused before its transfer began. */
  static String line(Outcome.Refused refused) {
    String name = refused.name();
    return Printable.line(
        "refused: %s from %s: %s"
            .formatted(
                name == null ? "a sender" : name + ",",
                who(refused.sender(), refused.from()),
                refused.reason()));
  }

  static String line(Outcome.Ended outcome) {
    return Printable.line(
        switch (outcome) {
          case Outcome.Arrived(Received received) ->
              "arrived: %s, %s, sha256 %s, from %s, in %s"
                  .formatted(
                      received.entries() == null ? received.file() : received.entries().name(),
                      DataSize.format(
                          received.entries() == null
                              ? received.bytes()
                              : received.entries().bytes()),
                      received.sha256(),
                      who(received.sender(), received.from()),
                      Quantities.seconds(received.elapsed().toNanos() / 1e9));
          case Outcome.Broken(String reason, Outcome.Attempt attempt) ->
              attempt == null
                  ? "failed: " + reason
                  : "failed: %s (%s had arrived, from %s, after %s)"
                      .formatted(
                          reason,
                          DataSize.format(attempt.bytes()),
                          who(attempt.sender(), attempt.from()),
                          Quantities.seconds(attempt.elapsed().toNanos() / 1e9));
        });
  }
}
