package io.cascade.relay.registration;

import static java.util.Objects.requireNonNull;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.orchestrator.DestinationUse;
import io.cascade.api.orchestrator.Heartbeat;
import io.cascade.api.orchestrator.RelayInstructions;
import io.cascade.api.orchestrator.RelayPeer;
import io.cascade.api.orchestrator.RelayRegistration;
import io.cascade.relay.probe.LinkReport;
import io.cascade.relay.thread.LastingThread;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the orchestrator informed, from one thread. Running streams do not depend on whether the
 * orchestrator answers.
 *
 * <p>Measurements of a heartbeat are marked as delivered only when the heartbeat was answered. The
 * orchestrator gets them twice only if a heartbeat arrives but its answer is lost.
 */
public final class Registration implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(Registration.class.getName());
  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(1);

  /** Statuses of a heartbeat whose measurements would be refused every time. */
  private static final Set<Integer> ABOUT_CONTENT = Set.of(400, 413, 415, 422);

  private final OrchestratorClient orchestrator;
  private final Registrant registrant;
  private final RegistrationSchedule schedule;
  private final Thread thread;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean draining;
  private boolean closing;

  private volatile boolean registered;
  private volatile boolean left;

  /** The last call did not reach an orchestrator that serves. */
  private boolean away;

  private @Nullable String failure;
  private @Nullable RelayRegistration announced;
  private List<RelayPeer> peers = List.of();

  /** The version of the list of peers; null if the orchestrator is to send the list. */
  private @Nullable String peersVersion;

  /**
   * @param serving whether the relay already serves, in place of a process that was registered
   * @param random varies the waits, so that relays do not all return at once
   */
  public Registration(
      OrchestratorClient orchestrator,
      Registrant registrant,
      boolean serving,
      RandomGenerator random) {
    this.orchestrator = orchestrator;
    this.registrant = registrant;
    this.schedule = new RegistrationSchedule(random, serving);
    this.thread = LastingThread.unstarted("registration", this::round);
  }

  /** Begins to register. Returns at once; retries until the orchestrator answers. */
  public void start() {
    thread.start();
  }

  /**
   * Whether the orchestrator knows this relay, by its last answer. False while it does not answer:
   * then heartbeats find out when it does.
   */
  public boolean isRegistered() {
    return registered;
  }

  /** Announces that the relay drains, beginning with a heartbeat at once. */
  public void draining() {
    lock.lock();
    try {
      draining = true;
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Sends a last heartbeat, by which the orchestrator knows that the relay has stopped and does not
   * report it as lost, and ends. Takes at most a second, even if the orchestrator does not answer.
   */
  @Override
  public void close() {
    lock.lock();
    try {
      draining = true;
      closing = true;
      changed.signal();
    } finally {
      lock.unlock();
    }
    if (Thread.currentThread().equals(thread) || thread.getState() == Thread.State.NEW) {
      return; // called from replaced(), or never started
    }
    try {
      if (!thread.join(CLOSE_WITHIN)) {
        thread.interrupt();
      }
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
  }

  /** Ends without a last heartbeat, since another process now sends them for this relay. */
  public void leave() {
    left = true;
    close();
  }

  /** Makes one call and waits until the next one is due; false after the last one. */
  private boolean round() throws InterruptedException {
    boolean announcing = isDraining();
    boolean last = isClosing();
    boolean beating = schedule.stage() == RegistrationSchedule.Stage.REGISTERED;
    if (last && (!beating || left)) {
      registered = false;
      return false;
    }
    CallOutcome outcome = call(announcing, last);
    away = outcome instanceof CallOutcome.Away;
    Duration wait = schedule.after(outcome);
    report(outcome);
    if (schedule.stage() == RegistrationSchedule.Stage.REPLACED || last) {
      registered = false;
      return false;
    }
    await(wait, announcing);
    return true;
  }

  private CallOutcome call(boolean announcing, boolean last) {
    try {
      if (away) {
        // A heartbeat is signed: the work of a thousand relays is what an orchestrator on the same
        // processors lacks while it starts.
        orchestrator.reach();
      }
      RelayInstructions instructions =
          schedule.stage() == RegistrationSchedule.Stage.REGISTERED
              ? heartbeat(announcing, last)
              : register();
      if (instructions.peers() != null) {
        peers = instructions.peers();
      }
      peersVersion = instructions.peersVersion();
      registrant.peers(peers, duration(instructions.probeSeconds()));
      return new CallOutcome.Instructed(duration(instructions.heartbeatSeconds()));
    } catch (RuntimeException | Error e) { // also a lack of memory or threads
      CallOutcome outcome = CallOutcome.of(e);
      if (outcome instanceof CallOutcome.Rejected) {
        // An older orchestrator, which leads now, refuses a property that it does not know. An
        // orchestrator that was away chooses the same peers, so a thousand relays do not all
        // request them again.
        peersVersion = null;
      }
      return outcome;
    }
  }

  private static Duration duration(@Nullable Double seconds) {
    return seconds == null
        ? Duration.ZERO
        : Duration.ofMillis((long) (Math.min(seconds, 86_400) * 1_000));
  }

  private RelayInstructions register() {
    RelayRegistration self = registrant.signer().sign(registrant.registration());
    announced = self;
    return orchestrator.register(self);
  }

  private RelayInstructions heartbeat(boolean announcing, boolean last) {
    // From the registration: a relay that stops no longer has addresses, but must still report
    // that.
    RelayRegistration self = requireNonNull(announced);
    LinkReport report = registrant.links();
    List<DestinationUse> uses = registrant.destinations().take();
    Heartbeat heartbeat =
        new Heartbeat(
            self.instance(),
            announcing,
            registrant.runningStreams(),
            registrant.heldBytes(),
            report.links(),
            registrant.limits(),
            0L,
            "",
            uses,
            last ? true : null,
            peersVersion);
    boolean told = false;
    try {
      RelayInstructions instructions =
          orchestrator.heartbeat(self.name(), registrant.signer().sign(self.name(), heartbeat));
      report.delivered();
      told = true;
      return instructions;
    } catch (ProblemException e) {
      if (CallOutcome.of(e) instanceof CallOutcome.Rejected && ABOUT_CONTENT.contains(e.status())) {
        report.delivered(); // refused content must not block later reports
        told = true;
      }
      throw e;
    } finally {
      if (!told) {
        registrant.destinations().untold(uses);
      }
    }
  }

  /** Logs changes of the outcome, each once. */
  private void report(CallOutcome outcome) {
    String orchestratorAt = orchestrator.address().toString();
    switch (outcome) {
      case CallOutcome.Instructed _ -> {
        if (!registered || failure != null) {
          LOG.log(Level.INFO, "registered with {0}", orchestratorAt);
        }
        registered = true;
        failure = null;
      }
      case CallOutcome.Forgotten _ -> {
        registered = false;
        LOG.log(Level.INFO, "{0} does not know this relay: registering again", orchestratorAt);
      }
      case CallOutcome.Replaced(String reason) -> {
        registered = false;
        switch (schedule.stage()) {
          case REPLACED -> {
            LOG.log(
                Level.SEVERE,
                "{0} knows a later instance of this relay: {1}",
                new Object[] {orchestratorAt, reason});
            registrant.replaced(reason);
          }
          case STARTING, REGISTERED, RETURNING ->
              complain(
                  orchestratorAt
                      + " says that a later instance of this relay is registered ("
                      + reason
                      + "); this process continues");
        }
      }
      case CallOutcome.Rejected(String reason) ->
          complain(orchestratorAt + " rejects this relay: " + reason);
      case CallOutcome.Away(String reason) -> {
        registered = false;
        if (!isClosing()) { // parts of a relay that stops may no longer answer
          complain(orchestratorAt + " does not answer: " + reason);
        }
      }
    }
  }

  private void complain(String text) {
    if (!text.equals(failure)) {
      LOG.log(Level.WARNING, "{0}; retrying", text);
    }
    failure = text;
  }

  private boolean isDraining() {
    lock.lock();
    try {
      return draining;
    } finally {
      lock.unlock();
    }
  }

  private boolean isClosing() {
    lock.lock();
    try {
      return closing;
    } finally {
      lock.unlock();
    }
  }

  /** Waits, but only until there is something new to announce. */
  private void await(Duration wait, boolean announced) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = wait.toNanos();
      while (left > 0 && !closing && (announced || !draining)) {
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }
}
