package io.cascade.client.measure;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Gives a connection BBR once it loses packets although no queue stands on its path. Such losses
 * come from the link and not from traffic that the connection should make room for; controls that
 * take every loss for congestion stay far below such a link's capacity. Losses behind a standing
 * queue change nothing: there the connection shares its bottleneck by the host's own control.
 *
 * <p>BBR is a kernel's to offer and its owner's to allow: a process without privileges gets what
 * {@code net.ipv4.tcp_allowed_congestion_control} lists.
 */
public final class LossResponse {
  /** The control that takes the place of the host's. */
  public static final String CONTROL = "bbr";

  /** Least that a standing queue adds to the round trip, as a share of it. */
  private static final double QUEUE_SHARE = 0.25;

  /** Least that a standing queue adds to the round trip, where that is short. */
  private static final long QUEUE_MICROS = 2_000;

  private final Control control;
  private long retransmittedSegments;
  private boolean isSettled;

  /** Congestion control of a connection. */
  interface Control {
    Optional<String> name();

    /** Sets it; false where the system refuses. */
    boolean set(String name);
  }

  LossResponse(Control control) {
    this.control = control;
  }

  /** Response of a connection that was just made. */
  public static LossResponse of(KernelSocket socket) {
    return new LossResponse(
        new Control() {
          @Override
          public Optional<String> name() {
            return socket.congestionControl();
          }

          @Override
          public boolean set(String name) {
            return socket.setCongestionControl(name);
          }
        });
  }

  /**
   * Looks at the connection's counters.
   *
   * @param now null where they are not known
   * @return whether the connection has got another control now
   */
  public boolean look(@Nullable TcpCounters now) {
    if (now == null || isSettled || now.retransmittedSegments() <= retransmittedSegments) {
      return false;
    }
    retransmittedSegments = now.retransmittedSegments();
    if (now.minRttMicros() == 0 || standsInQueue(now)) {
      return false;
    }
    isSettled = true; // Where it is refused, the host's goes on.
    return !control.name().equals(Optional.of(CONTROL)) && control.set(CONTROL);
  }

  private static boolean standsInQueue(TcpCounters now) {
    double least = Math.max(QUEUE_MICROS, QUEUE_SHARE * now.minRttMicros());
    return now.rttMicros() - now.minRttMicros() >= least;
  }
}
