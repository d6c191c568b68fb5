package io.cascade.studies.survival;

import io.cascade.studies.report.Sample;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A stream during relay failures.
 *
 * @param rounds number of faults of each kind at each relay
 * @param loadBefore threads that ran or waited for a processor in the minute before
 * @param gapsMillis the longest time without a byte at the destination, for each fault
 * @param whole whether all bytes arrived unchanged and both ends were closed without an error
 * @param pipesLost at the junction where the stream begins
 */
record Survivor(
    Carrier carrier,
    int rounds,
    double loadBefore,
    Map<Fault, List<Double>> gapsMillis,
    long octets,
    boolean whole,
    long pipesLost) {
  /** Carrier of a stream. */
  enum Carrier {
    PIPES(
        "A client of a chain of two pipes",
        "Pipe 0 leads through r2, pipe 1 through r3, both from r1 to r4. r2 and r3 die."),
    FORWARD(
        "A stream of forward over two chains",
        "Chain 1 leads through r1 and r2, chain 2 through r3 and r4; there is no direct path."
            + " All four die.");

    private final String title;
    private final String where;

    Carrier(String title, String where) {
      this.title = title;
      this.where = where;
    }

    String title() {
      return title;
    }

    /** Relays of the pipes. */
    String where() {
      return where;
    }
  }

  /** Fault of a relay. */
  enum Fault {
    NONE("none, for 3 s"),
    KILLED("a relay killed (SIGKILL)"),
    PAUSED("a relay paused for 3 s (SIGSTOP)"),
    CUT_OFF("a relay's hop port cut off for 3 s (nft drop)"),
    DRAINED("a relay drained for 3 s (`./cascade drain`)"),
    STOPPED("a relay stopped (SIGTERM) and started again"),
    PAUSED_ALONE("a relay paused for 3 s, the orchestrator dead"),
    KILLED_ALONE("a relay killed, the orchestrator dead");

    private final String words;

    Fault(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }

  String key() {
    return carrier.name();
  }

  /** A quantile of the gaps of some faults, in milliseconds; NaN without gaps. */
  double gapMillis(double share, Fault... faults) {
    List<Double> gaps =
        Stream.of(faults)
            .flatMap(fault -> gapsMillis.getOrDefault(fault, List.of()).stream())
            .toList();
    return gaps.isEmpty() ? Double.NaN : Sample.quantile(gaps, share);
  }
}
