package io.cascade.relay.proxy;

import io.cascade.api.HostPort;
import io.cascade.relay.destination.AddressBlock;
import io.cascade.relay.destination.DestinationRules;
import io.cascade.relay.stream.OnwardListener;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Admits the clients of a relay's proxies: who may come, how many at a time, and where to. */
final class ProxyAdmission {
  private final List<AddressBlock> sources;
  private final DestinationRules rules;
  private final @Nullable Credentials credentials;
  private final Duration patience;
  private final int mostPending;
  private final Executor slowWork;
  private final Forwarding forwarding;
  private final AtomicInteger pending = new AtomicInteger();
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
   * @param mostPending handshakes at a time
   * @param slowWork where passwords are looked at
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
    this.slowWork = slowWork;
    this.forwarding = forwarding;
  }

  /**
   * Admits a client.
   *
   * @return why it may not stay; null when it may, and then {@link #leave()} follows
   */
  @Nullable HandshakeOutcome enter(InetAddress client) {
    if (!sources.isEmpty() && sources.stream().noneMatch(block -> block.contains(client))) {
      return HandshakeOutcome.SOURCE_REFUSED;
    }
    if (pending.incrementAndGet() > mostPending) {
      pending.decrementAndGet();
      return HandshakeOutcome.LIMIT;
    }
    return null;
  }

  /** Ends an admitted client's handshake. */
  void leave() {
    pending.decrementAndGet();
  }

  /** Number of handshakes that are under way. */
  int pending() {
    return pending.get();
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

  void work(Runnable task) {
    slowWork.execute(task);
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
