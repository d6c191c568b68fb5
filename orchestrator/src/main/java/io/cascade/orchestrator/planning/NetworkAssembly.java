package io.cascade.orchestrator.planning;

import static io.cascade.orchestrator.planning.MeasuredNetwork.DESTINATION;
import static io.cascade.orchestrator.planning.MeasuredNetwork.SOURCE;

import io.cascade.api.orchestrator.RelayRegistration;
import io.cascade.model.planning.LearnedCorrection;
import io.cascade.model.planning.RelayTerms;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.orchestrator.links.MeasuredLink;
import io.cascade.orchestrator.links.Transfers;
import io.cascade.orchestrator.relays.RegisteredRelay;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Assembles the network of one plan: links between relays, from the source and to the destination.
 *
 * <p>Better evidence of a link replaces weaker evidence, so the order matters: probes of the
 * destination, then links to a relay on the destination's host, then the source's own measurements.
 */
final class NetworkAssembly {
  private final NetworkEvidence evidence;
  private final PlanInputs inputs;
  private final Instant now;
  private final List<String> notes;
  private final List<MeasuredLink> links;
  private final PromisedCapacity promised;
  private final MeasuredNetwork network;

  private NetworkAssembly(
      NetworkEvidence evidence,
      PlanInputs inputs,
      @Nullable Long assumedCapacity,
      Instant now,
      List<String> notes) {
    this.evidence = evidence;
    this.inputs = inputs;
    this.now = now;
    this.notes = notes;
    this.links = evidence.links();
    this.promised = evidence.promised();
    this.network = new MeasuredNetwork(assumedCapacity);
  }

  /**
   * @param assumedCapacity capacity in bit/s of links without a stated or measured one; null for no
   *     assumption
   * @param now in steady time
   * @param notes receives sentences for the plan's reader
   */
  static MeasuredNetwork assemble(
      NetworkEvidence evidence,
      PlanInputs inputs,
      @Nullable Long assumedCapacity,
      Instant now,
      List<String> notes) {
    NetworkAssembly assembly = new NetworkAssembly(evidence, inputs, assumedCapacity, now, notes);
    assembly.addRelays();
    assembly.addProbedDestination();
    if (inputs.site() != null) {
      assembly.addSite(inputs.site());
    }
    if (inputs.atDestination() != null) {
      assembly.addLinksTo(inputs.atDestination());
    }
    assembly.addSource();
    return assembly.network;
  }

  private void addRelays() {
    for (MeasuredLink link : links) {
      if (inputs.relays().contains(link.from()) && inputs.relays().contains(link.to())) {
        add(link.from(), link.to(), link);
        network.promised(link.from(), link.to(), promised.of(link.from(), link.to()));
      }
    }
    inputs.relays().byName().forEach((name, relay) -> network.terms(name, terms(relay)));
  }

  private RelayTerms terms(RegisteredRelay relay) {
    RelayRegistration registration = relay.registration();
    RelayTerms terms =
        RelayTerms.FREE
            .at(registration.site())
            .withPrices(0, Objects.requireNonNullElse(registration.pricePerGib(), 0.0));
    Long capacity = registration.capacityBitsPerSecond();
    return capacity == null
        ? terms
        : terms.withFree(Math.max(0, capacity - promised.of(relay.name())));
  }

  private void addProbedDestination() {
    for (String relay : inputs.reach().reached()) {
      if (inputs.relays().contains(relay)) {
        addProbed(relay, relay, inputs.relays().capacity(relay));
      }
    }
  }

  /**
   * @param end the plan's name for the relay's place
   */
  private void addProbed(String end, String relay, @Nullable Long capacity) {
    DestinationProbes.Outcome outcome = inputs.reach().of(relay);
    if (outcome != null) {
      Transfers transfers = evidence.transfers(relay, inputs.destination());
      addOwn(
          end,
          DESTINATION,
          MeasuredLink.ofAttempts(relay, DESTINATION, outcome.counts(), transfers, capacity, now));
    }
  }

  /** Adds the measurements of the relay at the source's site, in place of the source's own. */
  private void addSite(RegisteredRelay site) {
    addProbed(SOURCE, site.name(), site.registration().capacityBitsPerSecond());
    for (MeasuredLink link : links) {
      boolean first = inputs.ingress() == null || link.to().equals(inputs.ingress());
      if (first && link.from().equals(site.name()) && inputs.relays().contains(link.to())) {
        add(SOURCE, link.to(), link);
      }
    }
    if (inputs.relays().contains(site.name())) {
      network.beside(SOURCE, site.name());
    }
    notes.add("The source is assumed to be at the site of " + site.name() + ".");
  }

  /**
   * Adds the links to a relay on the destination's host: they have thousands of packets on the same
   * paths for which probes have a few connections.
   */
  private void addLinksTo(String atDestination) {
    boolean used = false;
    for (MeasuredLink link : links) {
      if (!link.to().equals(atDestination) || link.counts().sent() == 0) {
        continue;
      }
      if (inputs.relays().contains(link.from())
          && network.link(link.from(), DESTINATION).isPresent()) {
        add(link.from(), DESTINATION, link);
        used = true;
      }
      if (inputs.isSite(link.from()) && network.link(SOURCE, DESTINATION).isPresent()) {
        add(SOURCE, DESTINATION, link);
        used = true;
      }
    }
    if (used) {
      notes.add(
          "The destination is "
              + atDestination
              + "'s host: the links to that relay are used for the way there.");
    }
  }

  /** Adds the source's own measurements, which replace substitutes. */
  private void addSource() {
    inputs
        .observations()
        .links(inputs.relays(), this::earlier, now)
        .forEach(link -> addOwn(link.from(), link.to(), link));
    if (!inputs.sourceIsKnown()) {
      inputs.relays().byName().keySet().forEach(relay -> network.beside(SOURCE, relay));
      notes.add(
          "No source was given: the direct path is unknown, and the source is assumed to be at the"
              + " site of the ingress relay.");
    }
  }

  /** Evidence of the client's earlier transfers to a relay or the destination. */
  private Transfers earlier(String to) {
    String client = inputs.client();
    String end = to.equals(DESTINATION) ? inputs.destination().toString() : to;
    return client == null ? Transfers.NONE : evidence.fromClient(client, end);
  }

  /** Adds a link that does not join two relays, with the correction that transfers gave. */
  private void addOwn(String from, String to, MeasuredLink link) {
    network.link(from, to, link);
    for (CongestionControl control : CongestionControl.values()) {
      learned(from, to, control, link.transfers().learned(control, now));
    }
  }

  /** Adds a link between relays, under the plan's names for its ends. */
  private void add(String from, String to, MeasuredLink link) {
    network.link(from, to, link);
    for (CongestionControl control : CongestionControl.values()) {
      learned(from, to, control, evidence.learned(link, control));
    }
  }

  private void learned(
      String from, String to, CongestionControl control, LearnedCorrection lesson) {
    if (lesson.outcomes() > 0) {
      network.learned(from, to, control, lesson);
    }
  }
}
