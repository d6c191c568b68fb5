package io.cascade.studies.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Way of a transfer over the path.
 *
 * @param connections number of parallel connections; above 1 only on the direct way
 * @param relays on the way, numbered by the link that each terminates, 1 for the first; empty for
 *     the direct way, which crosses the same links as IP packets
 */
public record TransferPath(int connections, List<Integer> relays) {
  private static final Pattern DIRECT = Pattern.compile("(?:([1-9][0-9]?) )?direct");
  private static final Pattern SITES = Pattern.compile("\\+");
  private static final Pattern RELAYS = Pattern.compile("([1-9]) relays?");

  /** Checks the order. */
  public TransferPath {
    relays = List.copyOf(relays);
    for (int i = 0; i < relays.size(); i++) {
      if (relays.get(i) < 1 || (i > 0 && relays.get(i) <= relays.get(i - 1))) {
        throw new IllegalArgumentException("relays: " + relays + " (expected: in path order)");
      }
    }
  }

  /** Whether the way has no relay. */
  public boolean direct() {
    return relays.isEmpty();
  }

  /**
   * Parses {@code direct}, {@code 8 direct}, {@code 2 relays} or {@code via california+maryland}.
   *
   * @param sites names of the relays along the path; empty if the route divides the path itself
   */
  static TransferPath parse(String text, List<String> sites) {
    Matcher direct = DIRECT.matcher(text);
    if (direct.matches()) {
      return new TransferPath(
          direct.group(1) == null ? 1 : Integer.parseInt(direct.group(1)), List.of());
    }
    Matcher relays = RELAYS.matcher(text);
    if (relays.matches() && sites.isEmpty()) {
      return firstRelays(Integer.parseInt(relays.group(1)));
    }
    if (text.startsWith("via ") && !sites.isEmpty()) {
      List<Integer> positions = new ArrayList<>();
      for (String name : SITES.splitAsStream(text.substring(4)).toList()) {
        if (!sites.contains(name)) {
          throw new IllegalArgumentException(
              "'" + text + "' (expected: relays out of " + String.join(", ", sites) + ")");
        }
        positions.add(sites.indexOf(name) + 1);
      }
      return new TransferPath(1, positions);
    }
    throw new IllegalArgumentException(
        "'"
            + text
            + "' (expected: direct, 8 direct, "
            + (sites.isEmpty() ? "2 relays" : "via " + String.join("+", sites))
            + ")");
  }

  /** A route through the first {@code count} relays. */
  static TransferPath firstRelays(int count) {
    List<Integer> positions = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      positions.add(i);
    }
    return new TransferPath(1, positions);
  }
}
