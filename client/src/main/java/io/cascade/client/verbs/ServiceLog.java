package io.cascade.client.verbs;

import io.cascade.client.transfer.Outcome;
import io.cascade.client.transfer.Received;
import io.cascade.command.DataSize;
import io.cascade.command.Printable;
import io.cascade.contract.Quantities;

/** A transfer's end as a line of a service's log: who sent what, how it ended, how long it took. */
final class ServiceLog {
  private ServiceLog() {}

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
                      received.from(),
                      Quantities.seconds(received.elapsed().toNanos() / 1e9));
          case Outcome.Broken(String reason, Outcome.Attempt attempt) ->
              attempt == null
                  ? "failed: " + reason
                  : "failed: %s (%s had arrived, from %s, after %s)"
                      .formatted(
                          reason,
                          DataSize.format(attempt.bytes()),
                          attempt.from(),
                          Quantities.seconds(attempt.elapsed().toNanos() / 1e9));
        });
  }
}
