package io.cascade.relay.chain;

import java.time.Duration;
import java.time.Instant;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Grants leases and judges them, by the monotonic clock alone.
 *
 * <p>A lease means that an orchestrator looks after a part. When it expires the part is unattended
 * but still serves, until the orchestrator was out of contact for as long as the operator allows
 * ({@code --serve-alone}). Contact is a renewal of the part, or any answer of the orchestrator to
 * this relay.
 *
 * <p>Thread-safe.
 */
final class Leases {
  private static final Logger LOG = Logger.getLogger(Leases.class.getName());

  private final RelayClock clock;
  private final Duration serveAlone;
  private volatile @Nullable Long contactAtNanos;
  private boolean alone;

  /** State of a part. */
  enum State {
    /** The part's lease is valid. */
    ATTENDED,
    /** The part's lease has expired, and the part serves without an orchestrator. */
    UNATTENDED,
    /** The part has served without an orchestrator for the allowed time. */
    OVER
  }

  /**
   * @param serveAlone how long a part without a lease serves after the last contact; 0 for not at
   *     all
   */
  Leases(RelayClock clock, Duration serveAlone) {
    this.clock = clock;
    this.serveAlone = serveAlone;
  }

  /**
   * Grants a lease that begins now. The request comes from an orchestrator, so it counts as
   * contact.
   */
  Lease grant(int seconds) {
    long now = now();
    contactAtNanos = now;
    return new Lease(now, now + Duration.ofSeconds(seconds).toNanos());
  }

  /**
   * Takes over a lease that another process of this relay held.
   *
   * @param left time until it expires; negative if it has expired
   * @param sinceContact time since the last contact with the orchestrator
   */
  Lease inherit(Duration left, Duration sinceContact) {
    long now = now();
    return new Lease(now - sinceContact.toNanos(), now + left.toNanos());
  }

  /** Records that the orchestrator has answered this relay. */
  void contacted() {
    contactAtNanos = now();
  }

  State of(Lease lease) {
    if (left(lease).compareTo(Duration.ZERO) >= 0) {
      return State.ATTENDED;
    }
    return sinceContact(lease).compareTo(serveAlone) < 0 ? State.UNATTENDED : State.OVER;
  }

  /** Whether a chain takes streams although its lease has expired. */
  boolean isUnattended(InstalledChain chain) {
    return chain.takesStreams() && of(chain.lease()) != State.ATTENDED;
  }

  /** Time until the lease expires; negative afterwards. */
  Duration left(Lease lease) {
    return Duration.ofNanos(lease.endsAtNanos() - now());
  }

  Duration sinceContact(Lease lease) {
    long now = now();
    long since = now - lease.renewedAtNanos();
    Long contact = contactAtNanos;
    return Duration.ofNanos(contact == null ? since : Math.min(since, now - contact));
  }

  /** Time for which a part without a lease goes on serving; not negative. */
  Duration aloneLeft(Lease lease) {
    Duration left = serveAlone.minus(sinceContact(lease));
    return left.isNegative() ? Duration.ZERO : left;
  }

  /** The end of a lease as a time of day, computed from the current one; only for display. */
  Instant endsAt(Lease lease) {
    return wall().plus(left(lease));
  }

  /**
   * The end of serving without a lease as a time of day, computed from the current one; only for
   * display.
   */
  Instant servesUntil(Lease lease) {
    return wall().minus(sinceContact(lease)).plus(serveAlone);
  }

  /**
   * Logs once that this relay begins to serve without an orchestrator, and once that this has
   * ended.
   *
   * @param unattended one of the expired leases; null if there is none
   * @param over number of parts that have just stopped taking streams
   */
  synchronized void report(@Nullable Lease unattended, int count, int over) {
    if (unattended != null && !alone) {
      LOG.log(
          Level.WARNING,
          "no contact with the orchestrator since {0}: the leases of {1} chains have run out;"
              + " serving these chains without it until {2} (--serve-alone)",
          new Object[] {
            wall().minus(sinceContact(unattended)).toString(),
            Integer.toString(count),
            servesUntil(unattended).toString()
          });
      alone = true;
    }
    if (over > 0) {
      LOG.log(
          Level.WARNING,
          "{0} chains accept no more streams: no lease was renewed, and this relay serves for {1} s"
              + " without the orchestrator (--serve-alone)",
          new Object[] {Integer.toString(over), Long.toString(serveAlone.toSeconds())});
    }
    if (unattended == null && alone) {
      if (over == 0) {
        LOG.info("contact with the orchestrator is restored: no chain is served without it");
      }
      alone = false;
    }
  }

  private long now() {
    return clock.nanos().getAsLong();
  }

  private Instant wall() {
    return clock.wall().instant();
  }
}
