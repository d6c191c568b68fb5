package io.cascade.relay.proxy;

import io.cascade.api.HostPort;
import io.cascade.carriage.socket.Sockets;
import io.cascade.relay.balancer.ClientAddress;
import io.cascade.relay.chain.StreamAdmission;
import io.cascade.relay.destination.DestinationPolicy;
import io.cascade.relay.destination.DestinationRules;
import io.cascade.relay.destination.DestinationUses;
import io.cascade.relay.egress.DirectOutlet;
import io.cascade.relay.names.NameLookups;
import io.cascade.relay.stream.CloseReason;
import io.cascade.relay.stream.InletAnswer;
import io.cascade.relay.stream.RelayStream;
import io.cascade.relay.stream.Side;
import io.cascade.relay.stream.StreamIds;
import io.cascade.relay.stream.StreamStart;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.UUID;

/** Sends streams to their destination through a chain if there is one, else directly. */
final class ProxyForwarding implements ProxyAdmission.Forwarding {
  private final StreamAdmission streams;
  private final Sockets sockets;
  private final NameLookups names;
  private final DestinationPolicy destinations;
  private final RouteCache routes;
  private final RunningPaths running = new RunningPaths();
  private final DestinationUses uses;

  ProxyForwarding(
      StreamAdmission streams,
      Sockets sockets,
      NameLookups names,
      DestinationPolicy destinations,
      RouteCache routes,
      DestinationUses uses) {
    this.uses = uses;
    this.streams = streams;
    this.sockets = sockets;
    this.names = names;
    this.destinations = destinations;
    this.routes = routes;
  }

  @Override
  public HandshakeOutcome forward(
      Channel inlet,
      HostPort destination,
      DestinationRules.Look look,
      ByteBuf early,
      InletAnswer answer) {
    ClientAddress who = ClientAddress.of(inlet);
    if (who == null) {
      early.release();
      inlet.close(); // reset meanwhile
      return HandshakeOutcome.GONE;
    }
    String name = destination.toString();
    // A destination whose address decides must be resolved here, so its streams go directly.
    RunningPaths.Place place =
        running.enter(
            who.client().getAddress(),
            destination,
            kept ->
                look == DestinationRules.Look.ALLOWED
                    ? routes.next(name, kept)
                    : RouteCache.Choice.DIRECTLY);
    try {
      return forward(inlet, who, destination, place, early, answer);
    } finally {
      place.startedOrGone();
    }
  }

  private HandshakeOutcome forward(
      Channel inlet,
      ClientAddress who,
      HostPort destination,
      RunningPaths.Place place,
      ByteBuf early,
      InletAnswer answer) {
    StreamStart start = new StreamStart(StreamIds.next(), who.client(), who.at(), true);
    String name = destination.toString();
    RouteCache.Choice choice = place.choice();
    RelayStream.StreamObserver trial =
        choice.trial() == null
            ? null
            : new StreamMeasurement(achieved -> routes.measured(name, choice, achieved));
    UUID chain = choice.chain();
    if (chain != null) {
      InletAnswer watched = new WatchedListener(answer, name, chain);
      if (streams.through(chain, inlet, start, early, watched, place.telling(trial))) {
        return HandshakeOutcome.CHAIN;
      }
      routes.unavailable(name, chain);
      place.goesDirectly();
      trial = null;
    }
    streams.direct(
        inlet,
        start,
        early,
        new DirectOutlet(destination, destinations.proxy(destination.host()), sockets, names),
        answer,
        new DirectUse(name, uses, place.telling(trial)));
    return HandshakeOutcome.DIRECT;
  }

  /** Notices that a chain does not work, as distinct from a failure of the destination. */
  private final class WatchedListener implements InletAnswer {
    private final InletAnswer answer;
    private final String destination;
    private final UUID chain;

    WatchedListener(InletAnswer answer, String destination, UUID chain) {
      this.answer = answer;
      this.destination = destination;
      this.chain = chain;
    }

    @Override
    public void opened(Channel inlet) {
      answer.opened(inlet);
    }

    @Override
    public void failed(Channel inlet, CloseReason why) {
      boolean chainBroke =
          why instanceof CloseReason.NotConfirmed
              || why instanceof CloseReason.ConnectFailed
              || (why instanceof CloseReason.ConnectionLost lost && lost.side() == Side.ONWARD);
      if (chainBroke) {
        routes.failed(destination, chain);
      } else if (why instanceof CloseReason.DestinationFailed) {
        routes.failedToReach(destination, chain);
      }
      answer.failed(inlet, why);
    }
  }
}
