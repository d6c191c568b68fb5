package io.cascade.client.terminal;

import io.cascade.api.orchestrator.DestinationAdvice;
import io.cascade.command.DataSize;
import io.cascade.command.Printable;
import io.cascade.contract.Quantities;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.StringJoiner;

/** Advice for one destination, in one line. */
public final class AdviceText {
  private static final String INDENT = "  ";

  private AdviceText() {}

  /** Prints the advice, on further indented lines where the terminal is narrower. */
  public static void print(DestinationAdvice one, Instant now, PrintWriter out) {
    List<String> lines =
        Lines.wrapped(Printable.line(line(one, now)), Table.columns() - INDENT.length());
    out.println(lines.getFirst());
    lines.stream().skip(1).forEach(line -> out.println(INDENT + line));
  }

  static String line(DestinationAdvice one, Instant now) {
    StringJoiner parts = new StringJoiner("; ");
    parts.add(
        "%s  %d %s, %s, %s"
            .formatted(
                one.destination(),
                one.streams(),
                one.streams() == 1 ? "stream" : "streams",
                DataSize.format(one.bytes()),
                Quantities.ago(one.lastSeenAt(), now)));
    parts.add(one.advice());
    Double direct = one.directBitsPerSecond();
    Double relayed = one.relayedBitsPerSecond();
    if (direct != null || relayed != null) {
      StringJoiner rates = new StringJoiner(", ", "seen: ", "");
      if (direct != null) {
        rates.add(Quantities.rate(direct) + " directly");
      }
      if (relayed != null && one.via() != null) {
        rates.add(Quantities.rate(relayed) + " through " + String.join(", ", one.via()));
      }
      parts.add(rates.toString());
    }
    return parts.toString();
  }
}
