package io.cascade.relay.proxy;

import io.cascade.api.HostPort;
import io.cascade.relay.destination.AddressBlock;
import io.cascade.relay.destination.DestinationRules;
import io.cascade.relay.stream.OnwardListener;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Admits the clients of a relay's proxies: who may come, how many at a time, and where to. */
final class ProxyAdmission {
  private static final int SHARES_OF_A_SOURCE = 4;

  private final List<AddressBlock> sources;
  private final DestinationRules rules;
  private final @Nullable Credentials credentials;
  private final Duration patience;
  private final int mostPending;
  private final PasswordTurns passwords;
  private final Forwarding forwarding;
  private final Map<Object, Integer> pending = new HashMap<>();
  private int allPending;
  private final HandshakeOutcome.Counts counts = new HandshakeOutcome.Counts();

  /** Starts the streams of admitted clients. */
  @FunctionalInterface
  interface Forwarding {
    /**
     * Starts a stream on the inlet's event loop. {@code early} is handed over.
     *
     * @return how it went on
     */
    HandshakeOutcome forward(
        Channel inlet,
        HostPort destination,
        DestinationRules.Look look,
        ByteBuf early,
        OnwardListener answer);
  }

  /**
   * @param patience for a whole handshake
   * @param mostPending handshakes at a time; a source may have a quarter of them
   * @param slowWork where passwords are verified
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
    this.mostPending = mostPending;
    this.passwords = new PasswordTurns(slowWork);
    this.forwarding = forwarding;
  }

  /**
   * Admits a client.
   *
   * @return why it may not stay; null when it may, and then {@link #leave} follows
   */
  @Nullable HandshakeOutcome enter(InetAddress client) {
    if (!sources.isEmpty() && sources.stream().noneMatch(block -> block.contains(client))) {
      return HandshakeOutcome.SOURCE_REFUSED;
    }
    Object source = PasswordTurns.source(client);
    synchronized (pending) {
      if (allPending >= mostPending
          || pending.getOrDefault(source, 0) >= mostPending / SHARES_OF_A_SOURCE) {
        return HandshakeOutcome.LIMIT;
      }
      allPending++;
      pending.merge(source, 1, Integer::sum);
    }
    return null;
  }

  /** Ends an admitted client's handshake. */
  void leave(InetAddress client) {
    synchronized (pending) {
      allPending--;
      pending.computeIfPresent(
          PasswordTurns.source(client), (_, count) -> count == 1 ? null : count - 1);
    }
  }

  /** Number of handshakes that are under way. */
  int pending() {
    synchronized (pending) {
      return allPending;
    }
  }

  /** Returns the credentials; null where nobody is asked for any. */
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

  void count(HandshakeOutcome outcome) {
    counts.add(outcome);
  }

  Map<String, Long> counted() {
    return counts.byCode();
  }

  void forward(
      Channel inlet,
      HostPort destination,
      DestinationRules.Look look,
      ByteBuf early,
      OnwardListener answer) {
    counts.add(forwarding.forward(inlet, destination, look, early, answer));
  }
}
