package io.cascade.carriage.transport;

import io.cascade.kernel.settings.KernelSettings;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The congestion controls that this relay's connections may use, and their default.
 *
 * @param offered controls that chains and throughput tests may request, by the kernel's names
 * @param usual the default of connections; null if unknown
 * @param isImposed whether the operator excluded the system's default, so that connections must be
 *     given {@code usual}
 */
public record CongestionControls(List<String> offered, @Nullable String usual, boolean isImposed) {

  /** Controls of which the planner has a model; others are offered only if they are named. */
  private static final Set<String> MODELLED = Set.of("reno", "cubic", "bbr", "bbr1", "bbr3");

  /** Copies the list. */
  public CongestionControls {
    offered = List.copyOf(offered);
  }

  /**
   * Returns the congestion controls of this machine.
   *
   * @param asked the operator's choice; null for all that have a model
   * @throws IllegalArgumentException if one of them is not available, naming those that are
   */
  public static CongestionControls of(Transport transport, @Nullable List<String> asked) {
    return of(
        transport.isNative() ? SocketTuning.acceptedCongestionControls(transport) : List.of(),
        KernelSettings.congestionControl(),
        asked);
  }

  /**
   * Returns the congestion controls of a kernel.
   *
   * @param accepted controls that this process may choose
   * @param systemDefault of connections; null if unknown
   * @param asked as above
   */
  static CongestionControls of(
      List<String> accepted, @Nullable String systemDefault, @Nullable List<String> asked) {
    if (asked == null) {
      return new CongestionControls(
          accepted.stream().filter(MODELLED::contains).toList(), systemDefault, false);
    }
    for (String name : asked) {
      if (!accepted.contains(name)) {
        throw new IllegalArgumentException(
            "controls: '"
                + name
                + "' (expected: some of "
                + (accepted.isEmpty()
                    ? "none, since this transport or kernel offers no choice"
                    : String.join(", ", accepted))
                + ")");
      }
    }
    List<String> offered = List.copyOf(new LinkedHashSet<>(asked));
    boolean excluded = !offered.isEmpty() && !offered.contains(systemDefault);
    return new CongestionControls(offered, excluded ? offered.getFirst() : systemDefault, excluded);
  }

  /** The control for a connection: the requested one, else null for the system's default. */
  public @Nullable String given(@Nullable String asked) {
    return asked == null && isImposed ? usual : asked;
  }

  /** Returns the reason for which a control is not available here; null if it is. */
  public @Nullable String refusal(String name) {
    return offered.contains(name)
        ? null
        : "this relay does not offer the congestion control '"
            + name
            + "' (it offers "
            + (offered.isEmpty() ? "none" : String.join(", ", offered))
            + ")";
  }
}
