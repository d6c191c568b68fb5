package io.cascade.lab.soak;

import io.cascade.api.Json;
import io.cascade.client.terminal.Table;
import io.cascade.command.DataSize;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Report of a soak.
 *
 * @param visits by their outcome
 * @param explained broken visits, of those above, that a kill explains
 * @param bytes that were compared by their digests or one by one
 * @param rests of the relay that is never killed
 * @param failures what did not hold, one sentence each
 */
record SoakReport(
    long seconds,
    int kills,
    Map<String, Long> visits,
    long explained,
    long bytes,
    List<RelayRow> relays,
    List<Growth.Rest> rests,
    List<String> failures) {
  private static final int MOST_SHOWN = 20;

  /** Tolerated further descriptors of a relay at rest: connections kept ready. */
  private static final long MORE_DESCRIPTORS = 16;

  /** Tolerated further threads of a relay at rest: of the compiler, and of name look-ups. */
  private static final long MORE_THREADS = 16;

  /** Tolerated ratio of a relay's memory at rest to its memory after the warm-up. */
  private static final double MORE_MEMORY = 1.25;

  private static final long MORE_BYTES = 16L << 20;

  /**
   * Further heap that the sessions of coded hops may take at one rest than at another: windows of 9
   * MiB each, of as many sessions as have been begun since a relay ended.
   */
  static final long CODED_HEAP_BYTES = 24L << 20;

  /** Memory that a virtual machine keeps after so much heap was used and freed. */
  private static final long CODED_BYTES = 3 * CODED_HEAP_BYTES;

  /** Threads of a relay at rest, before and after, and at its peak. */
  record Threads(long before, long after, long peak) {}

  /**
   * A relay at rest, before and after, and at its peak.
   *
   * @param neverKilled whether it is the same process at all three times
   * @param threads null in results from before they were counted
   */
  record RelayRow(
      String name,
      boolean neverKilled,
      long residentBefore,
      long residentAfter,
      long residentPeak,
      long descriptorsBefore,
      long descriptorsAfter,
      long descriptorsPeak,
      @Nullable Threads threads) {}

  /**
   * The report with a failure for each relay whose resources grew.
   *
   * @param coded whether there were coded hops
   */
  static SoakReport judged(
      long seconds,
      int kills,
      Map<String, Long> visits,
      long explained,
      long bytes,
      List<RelayRow> relays,
      List<Growth.Rest> rests,
      boolean coded,
      List<String> seen) {
    long more = coded ? MORE_BYTES + CODED_BYTES : MORE_BYTES;
    List<String> failures = new ArrayList<>(seen);
    for (RelayRow row : relays) {
      if (row.descriptorsAfter > row.descriptorsBefore + MORE_DESCRIPTORS) {
        failures.add(
            "%s had %d descriptors at rest and %d at the end"
                .formatted(row.name, row.descriptorsBefore, row.descriptorsAfter));
      }
      Threads threads = row.threads;
      if (threads != null && threads.after > threads.before + MORE_THREADS) {
        failures.add(
            "%s had %d threads at rest and %d at the end"
                .formatted(row.name, threads.before, threads.after));
      }
      if (row.neverKilled && row.residentAfter > row.residentBefore * MORE_MEMORY + more) {
        failures.add(
            "%s had %s of memory at rest and %s at the end"
                .formatted(
                    row.name,
                    DataSize.format(row.residentBefore),
                    DataSize.format(row.residentAfter)));
      }
    }
    Growth.failure(rests, coded ? CODED_HEAP_BYTES : 0).ifPresent(failures::add);
    if (visits.getOrDefault("held", 0L) == 0) {
      failures.add("not one visit held");
    }
    return new SoakReport(seconds, kills, visits, explained, bytes, relays, rests, failures);
  }

  boolean held() {
    return failures.isEmpty();
  }

  /** Writes {@code soak.md}, for people, and {@code soak.json}. */
  void write(Path folder, String command, String machine) throws IOException {
    StringWriter text = new StringWriter();
    print(new PrintWriter(text));
    Files.writeString(
        folder.resolve("soak.md"),
        "# Soak\n\n`%s`. %s\n\n```\n%s```\n".formatted(command.strip(), machine, text));
    Files.writeString(
        folder.resolve("soak.json"),
        Json.lenient().writerWithDefaultPrettyPrinter().writeValueAsString(this) + "\n");
  }

  private void printThreads(PrintWriter out) {
    Table table = new Table("relay", ">threads at rest", ">at the end", ">peak");
    for (RelayRow row : relays) {
      Threads threads = row.threads;
      if (threads == null) {
        return;
      }
      table.row(row.name, threads.before, threads.after, threads.peak);
    }
    table.print(out);
  }

  void print(PrintWriter out) {
    out.printf(
        "%d s, %d kills, %s verified%nvisits: %s; broken ones that a kill explains: %d%n",
        seconds, kills, DataSize.format(bytes), visits, explained);
    Table table =
        new Table(
            "relay",
            ">memory at rest",
            ">at the end",
            ">peak",
            ">descriptors at rest",
            ">at the end",
            ">peak");
    for (RelayRow row : relays) {
      table.row(
          row.name + (row.neverKilled ? "" : " (killed)"),
          DataSize.format(row.residentBefore),
          DataSize.format(row.residentAfter),
          DataSize.format(row.residentPeak),
          row.descriptorsBefore,
          row.descriptorsAfter,
          row.descriptorsPeak);
    }
    table.print(out);
    printThreads(out);
    Growth.print(rests, out);
    failures.stream().limit(MOST_SHOWN).forEach(failure -> out.println("DID NOT HOLD: " + failure));
    if (failures.size() > MOST_SHOWN) {
      out.printf("… and %d more%n", failures.size() - MOST_SHOWN);
    }
    out.println(held() ? "everything held" : "NOT EVERYTHING HELD");
    out.flush();
  }
}
