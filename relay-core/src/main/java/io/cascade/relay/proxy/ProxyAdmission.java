package io.cascade.relay.proxy;

import io.cascade.api.AddressBlock;
import io.cascade.api.HostPort;
import io.cascade.relay.admission.RefusalLog;
import io.cascade.relay.admission.SourcePlaces;
import io.cascade.relay.balancer.ClientAddress;
import io.cascade.relay.destination.DestinationRules;
import io.cascade.relay.stream.CloseReason;
import io.cascade.relay.stream.InletAnswer;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.net.InetAddress;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Admits the clients of a relay's proxies: which clients, how many at a time, and to which
 * destinations.
 */
final class ProxyAdmission {
  private static final int SHARES_OF_A_SOURCE = 4;
  private static final Logger LOG = Logger.getLogger(ProxyAdmission.class.getName());
  private static final RefusalLog NOT_ALLOWED = RefusalLog.of(LOG);

  private final List<AddressBlock> sources;
  private final DestinationRules rules;
  private final @Nullable Credentials credentials;
  private final Duration patience;
  private final PasswordTurns passwords;
  private final Forwarding forwarding;
  private final SourcePlaces pending;
  private final HandshakeOutcome.Counts counts = new HandshakeOutcome.Counts();

  /** One log per reason, so that many refusals for one reason do not hide others. */
  private final Map<HandshakeOutcome, RefusalLog> refusals = new EnumMap<>(HandshakeOutcome.class);

  /** Starts the streams of admitted clients. */
  @FunctionalInterface
  interface Forwarding {
    /**
     * Starts a stream. Called on the inlet's event loop. {@code early} is handed over.
     *
     * @return the outcome
     */
    HandshakeOutcome forward(
        Channel inlet,
        HostPort destination,
        DestinationRules.Look look,
        ByteBuf early,
        InletAnswer answer);
  }

  /**
   * @param patience for a whole handshake
   * @param mostPending concurrent handshakes; a source may have a quarter of them
   * @param slowWork verifies passwords
   */
  ProxyAdmission(
      ProxySettings settings,
      Duration patience,
      int mostPending,
      Executor slowWork,
      Forwarding forwarding) {
    this.sources = settings.blocks();
    this.rules = settings.rules();
    this.credentials =
        settings.credentials() == null ? null : Credentials.read(settings.credentials());
    this.patience = patience;
    this.pending = new SourcePlaces(mostPending, mostPending / SHARES_OF_A_SOURCE);
    this.passwords = new PasswordTurns(slowWork);
    this.forwarding = forwarding;
    for (HandshakeOutcome outcome : HandshakeOutcome.values()) {
      if (outcome.isRefusal()) {
        refusals.put(outcome, RefusalLog.of(LOG));
      }
    }
  }

  /**
   * Admits a client.
   *
   * @return why it is refused; null if it is admitted, after which {@link #leave} must be called
   */
  @Nullable HandshakeOutcome enter(InetAddress client) {
    if (!sources.isEmpty() && sources.stream().noneMatch(block -> block.contains(client))) {
      return HandshakeOutcome.SOURCE_REFUSED;
    }
    return pending.enter(client) == SourcePlaces.Taking.TAKEN ? null : HandshakeOutcome.LIMIT;
  }

  /** Ends an admitted client's handshake. */
  void leave(InetAddress client) {
    pending.leave(client);
  }

  /** Number of running handshakes. */
  int pending() {
    return pending.taken();
  }

  /** Returns the credentials; null if none are required. */
  @Nullable Credentials credentials() {
    return credentials;
  }

  Duration patience() {
    return patience;
  }

  DestinationRules.Look look(HostPort destination) {
    return rules.look(destination.host(), destination.port());
  }

  PasswordTurns passwords() {
    return passwords;
  }

  /**
   * Counts a handshake that led to no stream, and logs it if the client was refused.
   *
   * @param destination that the client named; null if it named none
   */
  void refused(HandshakeOutcome outcome, InetAddress client, @Nullable HostPort destination) {
    counts.add(outcome);
    RefusalLog log = refusals.get(outcome);
    if (log != null) {
      log.refused(
          "proxy: %s was refused%s: %s"
              .formatted(
                  client.getHostAddress(),
                  destination == null ? "" : " " + destination,
                  outcome.words()));
    }
  }

  Map<String, Long> counted() {
    return counts.byCode();
  }

  void forward(
      Channel inlet,
      HostPort destination,
      DestinationRules.Look look,
      ByteBuf early,
      InletAnswer answer) {
    counts.add(forwarding.forward(inlet, destination, look, early, new Watched(answer)));
  }

  /** Logs destinations whose resolved address turns out not to be allowed. */
  private record Watched(InletAnswer answer) implements InletAnswer {
    @Override
    public void opened(Channel inlet) {
      answer.opened(inlet);
    }

    @Override
    public void failed(Channel inlet, CloseReason why) {
      if (why instanceof CloseReason.ConnectFailed failed
          && failed.kind() == CloseReason.ConnectFailed.Kind.NOT_ALLOWED) {
        ClientAddress who = ClientAddress.of(inlet);
        NOT_ALLOWED.refused(
            "proxy: %s was refused %s"
                .formatted(
                    who == null ? "a client" : who.client().getAddress().getHostAddress(),
                    failed.detail()));
      }
      answer.failed(inlet, why);
    }
  }
}
