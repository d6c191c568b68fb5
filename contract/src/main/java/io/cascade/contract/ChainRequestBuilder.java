package io.cascade.contract;

import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.SetupMode;
import io.cascade.api.orchestrator.Source;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds the contract's request for a chain. What is not set, or set to null, is left out. */
public final class ChainRequestBuilder {
  private final String destination;
  private @Nullable String name;
  private @Nullable List<String> via;
  private @Nullable List<String> avoid;
  private @Nullable Integer maxRelays;
  private @Nullable Long bytes;
  private @Nullable Source source;
  private @Nullable SetupMode setup;
  private @Nullable Integer ingressPort;
  private @Nullable Boolean onlyIfBetter;
  private @Nullable Integer leaseSeconds;
  private @Nullable ChainOptions options;
  private @Nullable PlanRequest question;
  private @Nullable Integer timeToLiveSeconds;
  private @Nullable List<List<String>> pipes;
  private @Nullable Integer parallel;
  private @Nullable Integer routes;
  private @Nullable List<String> junctions;
  private @Nullable Boolean codedIngress;

  private ChainRequestBuilder(String destination) {
    this.destination = destination;
  }

  /**
   * Begins a request.
   *
   * @param destination {@code host:port}
   */
  public static ChainRequestBuilder to(String destination) {
    return new ChainRequestBuilder(destination);
  }

  /** Begins a request for the same chain as another one. */
  public static ChainRequestBuilder like(ChainRequest other) {
    return to(other.destination())
        .name(other.name())
        .via(other.via())
        .avoid(other.avoid())
        .maxRelays(other.maxRelays())
        .bytes(other.bytes())
        .source(other.source())
        .setup(other.setup())
        .ingressPort(other.ingressPort())
        .onlyIfBetter(other.onlyIfBetter())
        .leaseSeconds(other.leaseSeconds())
        .options(other.options())
        .question(other.question())
        .timeToLiveSeconds(other.timeToLiveSeconds())
        .pipes(other.pipes())
        .parallel(other.parallel())
        .routes(other.routes())
        .junctions(other.junctions())
        .codedIngress(other.codedIngress());
  }

  /** The chain's name; the orchestrator makes one otherwise. */
  public ChainRequestBuilder name(@Nullable String called) {
    name = called;
    return this;
  }

  /** Relays that somebody named, in order; the planner chooses otherwise. */
  public ChainRequestBuilder via(@Nullable List<String> relays) {
    via = relays;
    return this;
  }

  /** Relays that the planner leaves out. */
  public ChainRequestBuilder avoid(@Nullable List<String> relays) {
    avoid = relays;
    return this;
  }

  /** The most relays that the planner may choose. */
  public ChainRequestBuilder maxRelays(@Nullable Integer number) {
    maxRelays = number;
    return this;
  }

  /** The length of the transfer; a stream without an end otherwise. */
  public ChainRequestBuilder bytes(@Nullable Long length) {
    bytes = length;
    return this;
  }

  /** Sets where the traffic starts. */
  public ChainRequestBuilder source(@Nullable Source where) {
    source = where;
    return this;
  }

  /** Sets how the relays are told of their parts. */
  public ChainRequestBuilder setup(@Nullable SetupMode mode) {
    setup = mode;
    return this;
  }

  /** The port that clients connect to; the relay chooses otherwise. */
  public ChainRequestBuilder ingressPort(@Nullable Integer port) {
    ingressPort = port;
    return this;
  }

  /** Whether the chain is opened only where the plan says that it gains. */
  public ChainRequestBuilder onlyIfBetter(@Nullable Boolean only) {
    onlyIfBetter = only;
    return this;
  }

  /** Sets how long a part is looked after without a renewal by the orchestrator. */
  public ChainRequestBuilder leaseSeconds(@Nullable Integer seconds) {
    leaseSeconds = seconds;
    return this;
  }

  /** Sets the options of the chain's streams. */
  public ChainRequestBuilder options(@Nullable ChainOptions what) {
    options = what;
    return this;
  }

  /** Sets what the planner is asked beyond what the request itself says. */
  public ChainRequestBuilder question(@Nullable PlanRequest asked) {
    question = asked;
    return this;
  }

  /** Sets how long the chain stays without a renewal by its client; for good otherwise. */
  public ChainRequestBuilder timeToLiveSeconds(@Nullable Integer seconds) {
    timeToLiveSeconds = seconds;
    return this;
  }

  /** The relays of each pipe. */
  public ChainRequestBuilder pipes(@Nullable List<List<String>> relays) {
    pipes = relays;
    return this;
  }

  /** Sets how many pipes lead through the same relays. */
  public ChainRequestBuilder parallel(@Nullable Integer number) {
    parallel = number;
    return this;
  }

  /** Sets how many pipes the planner chooses. */
  public ChainRequestBuilder routes(@Nullable Integer number) {
    routes = number;
    return this;
  }

  /** Relays in the middle at which all pipes meet, in order. */
  public ChainRequestBuilder junctions(@Nullable List<String> relays) {
    junctions = relays;
    return this;
  }

  /** Whether the first relay takes coded sessions of the client, too. */
  public ChainRequestBuilder codedIngress(@Nullable Boolean takes) {
    codedIngress = takes;
    return this;
  }

  /** The request. */
  public ChainRequest build() {
    return new ChainRequest(
        destination,
        name,
        via,
        avoid,
        maxRelays,
        bytes,
        source,
        setup,
        ingressPort,
        onlyIfBetter,
        leaseSeconds,
        options,
        question,
        timeToLiveSeconds,
        pipes,
        parallel,
        routes,
        junctions,
        codedIngress);
  }
}
