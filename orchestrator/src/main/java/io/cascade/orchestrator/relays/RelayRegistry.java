package io.cascade.orchestrator.relays;

import static io.cascade.api.orchestrator.RelayStatus.DRAINING;

import io.cascade.api.identity.ControlProof;
import io.cascade.api.orchestrator.EventType;
import io.cascade.api.orchestrator.Heartbeat;
import io.cascade.api.orchestrator.LinkMeasurement;
import io.cascade.api.orchestrator.RelayInstructions;
import io.cascade.api.orchestrator.RelayLimits;
import io.cascade.api.orchestrator.RelayPeer;
import io.cascade.api.orchestrator.RelayRegistration;
import io.cascade.api.orchestrator.RelayStatus;
import io.cascade.command.RelayStart;
import io.cascade.orchestrator.events.EventLog;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/**
 * Registry of the relays and their states. A name belongs to the key that first registered it, and
 * within that to the greatest generation.
 *
 * <p>Facts are published after the change, outside the lock, on the caller's thread.
 */
@Component
public class RelayRegistry {
  private static final Logger LOG = LoggerFactory.getLogger(RelayRegistry.class);
  static final int MOST_RELAYS = 10_000;

  /** Time that relays wait before they retry an orchestrator that was unreachable. */
  private static final Duration RETURN_WAIT = Duration.ofSeconds(5);

  /** Time for which relays measure and report at full rate after their measurements were needed. */
  private static final Duration NEED_LASTS = Duration.ofMinutes(1);

  /** Seconds between two probes of a link at rest. */
  private static final double PROBE_AT_REST_SECONDS = 3;

  /** Names of the ends of a route, which no relay may have. */
  private static final Set<String> RESERVED = Set.of("source", "destination");

  private final RelayStore store;
  private final EventLog events;
  private final ApplicationEventPublisher facts;
  private final HeartbeatIntervals heartbeats;
  private final Timekeeper time;
  private final TreeMap<String, RegisteredRelay> relays = new TreeMap<>();
  private final Map<String, RelaySilence> silences = new HashMap<>();
  private final RelayProofs proofs = new RelayProofs();
  private final RefusedRegistrations refused;

  /** Relays drained at the orchestrator, whatever status they report. */
  private final Set<String> drained = new HashSet<>();

  /** The mesh of the relays that are up; null when these have changed. */
  private @Nullable PeerMesh mesh;

  private volatile long neededAt;

  RelayRegistry(
      RelayStore store,
      EventLog events,
      ApplicationEventPublisher facts,
      HeartbeatIntervals heartbeats,
      Timekeeper time) {
    this.store = store;
    this.events = events;
    this.facts = facts;
    this.heartbeats = heartbeats;
    this.time = time;
    this.refused = new RefusedRegistrations(time);
    this.neededAt = time.mark();
    for (RegisteredRelay relay : store.all(time.steady().plus(RETURN_WAIT))) {
      relays.put(relay.name(), relay);
      silences.put(relay.name(), new RelaySilence(heartbeats));
    }
    drained.addAll(store.drained());
    drained.forEach(name -> relays.computeIfPresent(name, (_, relay) -> relay.as(DRAINING)));
  }

  public RelayInstructions register(RelayRegistration registration) {
    String name = registration.name();
    if (RESERVED.contains(name)) {
      throw new Refusal(
          ProblemKind.INVALID_REQUEST,
          "name: " + name + " (expected: another name; routes use this one for their ends)");
    }
    RelayFact fact;
    try {
      RelayProofs.verify(registration);
      fact = admit(registration);
    } catch (Refusal refusal) {
      if (refusal.kind() == ProblemKind.RELAY_UNPROVEN && refused.isWorthTelling(name)) {
        events.relay(
            EventType.REGISTRATION_REFUSED, name, "registration refused: " + refusal.reason());
      }
      throw refusal;
    }
    facts.publishEvent(fact);
    return instructions(name, null);
  }

  private synchronized RelayFact admit(RelayRegistration registration) {
    String name = registration.name();
    Instant now = time.now();
    RegisteredRelay before = relays.get(name);
    if (before != null) {
      proofs.admit(before, registration);
    }
    if (before == null && relays.size() >= MOST_RELAYS) {
      throw new Refusal(
          ProblemKind.LIMIT_REACHED, MOST_RELAYS + " relays are registered; fix: forget some");
    }
    UUID replaced =
        before == null || before.instance().equals(registration.instance())
            ? null
            : before.instance();
    RegisteredRelay after =
        new RegisteredRelay(
            registration,
            drained.contains(name) ? DRAINING : RelayStatus.UP,
            now,
            now,
            time.steady(),
            before == null ? 0 : before.restarts() + (replaced == null ? 0 : 1),
            0,
            0,
            null);
    store.save(after);
    put(after);
    silences.put(name, new RelaySilence(heartbeats));
    needed();
    proofs.admitted(registration);
    if (replaced != null) {
      events.relay(
          EventType.RELAY_RESTARTED, name, "relay " + name + " restarted: " + where(after));
      return new RelayFact.Restarted(after);
    }
    if (before == null) {
      events.relay(
          EventType.RELAY_REGISTERED, name, "relay " + name + " registered: " + where(after));
      return new RelayFact.Registered(after);
    }
    if (!before.isHeard()) {
      events.relay(EventType.RELAY_RECOVERED, name, "relay " + name + " is back");
      return new RelayFact.Recovered(after);
    }
    return new RelayFact.Registered(after);
  }

  public RelayInstructions heartbeat(String name, Heartbeat heartbeat) {
    RelayProofs.verify(known(name), heartbeat);
    List<RelayFact> happened = hear(name, heartbeat);
    happened.forEach(facts::publishEvent);
    return instructions(name, heartbeat.peersVersion());
  }

  /**
   * Checks the relay that opens a control connection, and returns it.
   *
   * @throws Refusal if the proof is not by its registered instance, or is a replay
   */
  RegisteredRelay connected(String name, ControlProof proof) {
    RelayProofs.verify(known(name), proof);
    synchronized (this) {
      RegisteredRelay relay = known(name);
      proofs.hear(relay, proof.instance(), proof.sequence());
      return relay;
    }
  }

  private synchronized List<RelayFact> hear(String name, Heartbeat heartbeat) {
    RegisteredRelay before = known(name);
    proofs.hear(before, heartbeat.instance(), heartbeat.sequence());
    boolean draining = Boolean.TRUE.equals(heartbeat.draining()) || drained.contains(name);
    boolean stopping = Boolean.TRUE.equals(heartbeat.stopping());
    RelaySign sign =
        stopping
            ? RelaySign.GOODBYE
            : draining ? RelaySign.DRAINING_HEARTBEAT : RelaySign.HEARTBEAT;
    Instant now = time.steady();
    RegisteredRelay after = before.heard(time.now(), now, sign.after(before.status()), heartbeat);
    put(after);
    silence(name).heard(before.heardAt(), now);
    List<RelayFact> happened = new ArrayList<>();
    if (stopping) {
      store.stopped(name, true);
      events.relay(EventType.RELAY_STOPPED, name, "relay " + name + " stopped");
      happened.add(new RelayFact.Lost(after));
      return happened;
    }
    if (!before.isHeard()) {
      events.relay(EventType.RELAY_RECOVERED, name, "relay " + name + " is back");
      happened.add(new RelayFact.Recovered(after));
    }
    if (draining && before.status() != DRAINING) {
      events.relay(EventType.RELAY_DRAINING, name, "relay " + name + " takes no new streams");
      happened.add(new RelayFact.Draining(after));
    }
    List<LinkMeasurement> links = heartbeat.links();
    if (links != null && !links.isEmpty()) {
      noteProbes(name, links, now);
      happened.add(new RelayFact.Measured(after, links));
    }
    return happened;
  }

  private void noteProbes(String by, List<LinkMeasurement> links, Instant now) {
    for (LinkMeasurement link : links) {
      RelaySilence peer = silences.get(link.peer());
      boolean answered = link.received() > 0 || link.minRttMillis() != null;
      if (peer != null && !link.peer().equals(by) && (answered || link.sent() > 0)) {
        peer.probed(by, answered, now);
      }
    }
  }

  private RelaySilence silence(String name) {
    return silences.computeIfAbsent(name, _ -> new RelaySilence(heartbeats));
  }

  /**
   * Records that measurements of links are needed, by a plan or an open chain. Relays are told in
   * the answer to their next heartbeat.
   */
  public void needed() {
    neededAt = time.mark();
  }

  /**
   * Whether measurements were not needed lately, so that relays measure and report at a lower rate.
   */
  public boolean isAtRest() {
    return time.passed(neededAt, NEED_LASTS);
  }

  /** Drains a relay: it gets no new streams. */
  RegisteredRelay drain(String name) {
    List<RelayFact> happened = new ArrayList<>();
    RegisteredRelay after;
    synchronized (this) {
      after = known(name);
      if (drained.add(name)) {
        store.drained(name, true);
        if (after.isHeard()) {
          after = after.as(DRAINING);
          put(after);
        }
        events.relay(
            EventType.RELAY_DRAINING,
            name,
            "relay " + name + " is drained: nothing new is planned through it");
        happened.add(new RelayFact.Draining(after));
      }
    }
    happened.forEach(facts::publishEvent);
    return after;
  }

  /**
   * Ends the draining of a relay, unless the relay drains by itself, as its next heartbeat reports.
   */
  synchronized RegisteredRelay useAgain(String name) {
    RegisteredRelay after = known(name);
    if (drained.remove(name)) {
      store.drained(name, false);
      if (after.isHeard()) {
        after = after.as(RelayStatus.UP);
        put(after);
      }
      events.relay(EventType.RELAY_RECOVERED, name, "relay " + name + " is used again");
    }
    return after;
  }

  synchronized boolean isDrained(String name) {
    return drained.contains(name);
  }

  /** Records the limits that a relay has accepted. */
  synchronized void limited(String name, RelayLimits limits) {
    relays.computeIfPresent(name, (_, relay) -> relay.limited(limits));
  }

  /** Updates the status of relays that are silent. */
  void noticeSilence() {
    judgeSilences().forEach(facts::publishEvent);
  }

  private synchronized List<RelayFact> judgeSilences() {
    Instant now = time.steady();
    List<RelayFact> happened = new ArrayList<>();
    for (RegisteredRelay relay : List.copyOf(relays.values())) {
      if (!relay.isGone()) {
        silence(relay.name())
            .sign(relay.heardAt(), now)
            .ifPresent(sign -> judge(relay, sign, now, happened));
      }
    }
    noteLastSeen(happened);
    return happened;
  }

  private void judge(RegisteredRelay relay, RelaySign sign, Instant now, List<RelayFact> happened) {
    RegisteredRelay after = relay.as(sign.after(relay.status()));
    if (after.status() == relay.status()) {
      return;
    }
    String name = relay.name();
    put(after);
    String silent = " silent for " + Duration.between(relay.heardAt(), now).toMillis() + " ms";
    if (after.isGone()) {
      String ended = sign == RelaySign.REFUSED ? ", and its process has ended" : "";
      events.relay(EventType.RELAY_LOST, name, "relay " + name + " is lost:" + silent + ended);
      happened.add(new RelayFact.Lost(after));
    } else {
      events.relay(
          EventType.RELAY_SILENT,
          name,
          "relay " + name + " is" + silent + ", and heard by " + some(silence(name).hearers(now)));
    }
  }

  /** Relays whose control ports may show whether their processes are alive. */
  synchronized List<RegisteredRelay> overdue() {
    Instant now = time.steady();
    return relays.values().stream()
        .filter(relay -> !relay.isGone())
        .filter(relay -> silence(relay.name()).isOverdue(Duration.between(relay.heardAt(), now)))
        .toList();
  }

  /** Records that a relay's process has presumably ended, if the relay has not been heard since. */
  synchronized void refused(RegisteredRelay relay) {
    RegisteredRelay now = relays.get(relay.name());
    if (now != null && now.heardAt().equals(relay.heardAt())) {
      silence(relay.name()).refused();
    }
  }

  /**
   * Stores when lost relays were last seen. If the database is unreachable the others do not wait
   * for it again.
   */
  private void noteLastSeen(List<RelayFact> happened) {
    try {
      happened.forEach(fact -> store.save(fact.relay()));
    } catch (DataAccessException e) {
      LOG.warn("the times when relays were last seen could not be stored: {}", e.toString());
    }
  }

  void forget(String name) {
    RegisteredRelay relay;
    synchronized (this) {
      relay = known(name);
      remove(name, "relay " + name + " was forgotten");
    }
    facts.publishEvent(new RelayFact.Forgotten(relay));
  }

  /** Forgets a relay unless it has been heard since this state. */
  void forgetLost(RegisteredRelay lost) {
    synchronized (this) {
      if (!lost.equals(relays.get(lost.name()))) {
        return;
      }
      remove(
          lost.name(),
          "relay " + lost.name() + " was forgotten: not seen since " + lost.lastSeenAt());
    }
    facts.publishEvent(new RelayFact.Forgotten(lost));
  }

  private void remove(String name, String words) {
    store.remove(name);
    relays.remove(name);
    mesh = null;
    silences.remove(name);
    proofs.forget(name);
    drained.remove(name);
    events.relay(EventType.RELAY_FORGOTTEN, name, words);
  }

  public synchronized Optional<RegisteredRelay> find(@Nullable String name) {
    return name == null ? Optional.empty() : Optional.ofNullable(relays.get(name));
  }

  /**
   * @throws Refusal naming the existing relays
   */
  public synchronized RegisteredRelay known(String name) {
    RegisteredRelay relay = relays.get(name);
    if (relay == null) {
      throw new Refusal(
          ProblemKind.UNKNOWN_RELAY,
          relays.isEmpty()
              ? name + ": no relay has registered yet; " + START_ONE
              : name + ": no such relay (known: " + some(relays.keySet()) + ")");
    }
    return relay;
  }

  /** Text on how to start a first relay. */
  public static final String START_ONE = "start one with " + RelayStart.command("URL");

  /** All relays, ordered by name. */
  public synchronized List<RegisteredRelay> all() {
    return List.copyOf(relays.values());
  }

  /**
   * @param known the version of the peers that the relay has; null for none
   */
  private RelayInstructions instructions(String name, @Nullable String known) {
    PeerMesh among;
    Duration interval;
    boolean rest = isAtRest();
    synchronized (this) {
      among = mesh();
      interval =
          HeartbeatIntervals.among(
              among.members().size(), rest ? heartbeats.atRest() : heartbeats.interval());
      silence(name).asked(interval);
    }
    PeerMesh.Peers peers = among.of(name);
    return new RelayInstructions(
        HeartbeatIntervals.seconds(interval),
        peers.version().equals(known) ? null : peers.relays(),
        rest ? PROBE_AT_REST_SECONDS : null,
        peers.version());
  }

  private PeerMesh mesh() {
    PeerMesh present = mesh;
    if (present == null) {
      present =
          new PeerMesh(
              relays.values().stream()
                  .filter(relay -> !relay.isGone())
                  .map(relay -> new RelayPeer(relay.name(), relay.hop().host(), relay.hop().port()))
                  .toList());
      mesh = present;
    }
    return present;
  }

  private void put(RegisteredRelay relay) {
    RegisteredRelay before = relays.put(relay.name(), relay);
    if (before == null || before.isGone() != relay.isGone() || !before.hop().equals(relay.hop())) {
      mesh = null;
    }
  }

  private static String where(RegisteredRelay relay) {
    return "site "
        + relay.registration().site()
        + ", hop port "
        + relay.hop().host()
        + ":"
        + relay.hop().port();
  }

  private static String some(Collection<String> names) {
    String first = String.join(", ", names.stream().limit(20).toList());
    return names.size() > 20 ? first + ", …" : first;
  }
}
