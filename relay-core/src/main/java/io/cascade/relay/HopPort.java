package io.cascade.relay;

import io.cascade.carriage.coded.CodedAcceptor;
import io.cascade.carriage.socket.Sockets;
import io.cascade.command.CommandException;
import io.cascade.command.ListenFailure;
import io.cascade.relay.destination.AddressRule;
import io.cascade.relay.hop.HopServer;
import io.cascade.relay.probe.LinkProbes;
import io.cascade.relay.throughput.PacketTrains;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The hop port of a relay: one port number for streams over TCP, and for link probes and coded
 * sessions over UDP.
 */
final class HopPort {
  private static final int MOST_ATTEMPTS = 10;

  private final RelaySettings settings;
  private final Sockets sockets;
  private final HopServer hops;
  private final AddressRule rule;
  private final PacketTrains trains;
  private volatile @Nullable Channel listening;
  private volatile @Nullable LinkProbes probes;

  /**
   * @param rule where hops, and so link probes, may be sent
   */
  HopPort(
      RelaySettings settings,
      Sockets sockets,
      HopServer hops,
      AddressRule rule,
      PacketTrains trains) {
    this.settings = settings;
    this.sockets = sockets;
    this.hops = hops;
    this.rule = rule;
    this.trains = trains;
  }

  /** Opens the port; for port 0, a number that is free on TCP and UDP. */
  void open() throws IOException {
    for (int attempt = 1; ; attempt++) {
      Channel bound = listen();
      try {
        openProbes(HopServer.addressOf(bound).getPort());
        listening = bound;
        return;
      } catch (IOException | RuntimeException e) {
        bound.close().awaitUninterruptibly();
        if (settings.hopPort() != 0 || attempt == MOST_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private Channel listen() {
    InetSocketAddress at = new InetSocketAddress(settings.listen(), settings.hopPort());
    ChannelFuture bound = hops.listen(at).awaitUninterruptibly();
    Throwable failure = bound.cause();
    if (failure != null) {
      throw new CommandException(
          "hop port "
              + settings.hopPort()
              + " cannot be opened ("
              + ListenFailure.words(failure)
              + "); fix: choose another with --hop-port, or 0 for a free one");
    }
    return bound.channel();
  }

  /**
   * Takes over the listening socket of another process. Accepts no connection until {@link
   * #accept}.
   *
   * @throws CommandException if the settings name another port
   */
  void adopt(int descriptor) throws IOException {
    ChannelFuture adopted = hops.adopt(descriptor).awaitUninterruptibly();
    if (!adopted.isSuccess()) {
      throw new IOException("the hop port cannot be taken over: " + adopted.cause().getMessage());
    }
    listening = adopted.channel();
    int port = HopServer.addressOf(adopted.channel()).getPort();
    if (settings.hopPort() != 0 && settings.hopPort() != port) {
      throw new CommandException(
          "hop port "
              + settings.hopPort()
              + ": the relay to be replaced listens on "
              + port
              + "; fix: start with --hop-port "
              + port
              + ", or with another --hand-over");
    }
  }

  /** Opens the UDP port of the probes, with the adopted port's number. */
  void openProbes() throws IOException {
    openProbes(address().getPort());
  }

  private void openProbes(int port) throws IOException {
    LinkProbes opened =
        LinkProbes.open(
            new InetSocketAddress(settings.listen(), port),
            settings.handOver() != null || hops.coded() != null,
            others(port),
            rule,
            hops.peers(),
            System::nanoTime,
            InstantSource.system(),
            new SplittableRandom());
    trains.sendBy(opened::send);
    probes = opened;
  }

  /** Receives datagrams that are no link probes: packets of trains and of coded sessions. */
  private LinkProbes.Others others(int port) {
    CodedAcceptor coded = hops.coded();
    if (coded == null) {
      return (datagram, source, _) -> trains.take(datagram, source);
    }
    InetSocketAddress at = new InetSocketAddress(settings.listen(), port);
    return (datagram, source, replies) ->
        trains.take(datagram, source) || coded.offer(datagram, source, at, replies::send);
  }

  InetSocketAddress address() {
    return HopServer.addressOf(listening());
  }

  /** Descriptor of the listening socket, for a successor. */
  int descriptor() {
    return ((UnixChannel) listening()).fd().intValue();
  }

  LinkProbes probes() {
    LinkProbes open = probes;
    if (open == null) {
      throw new IllegalStateException("the relay has not started");
    }
    return open;
  }

  /** Accepts connections, or leaves them in the kernel's queue. Blocks. */
  void accept(boolean on) {
    sockets.accept(listening(), on);
  }

  /** Stops listening; accepted connections continue. Idempotent. */
  void stopListening() {
    Channel open = listening;
    listening = null;
    if (open != null) {
      open.close().awaitUninterruptibly();
    }
  }

  /** Stops answering and sending probes. Idempotent. */
  void stopProbes() {
    LinkProbes open = probes;
    probes = null;
    if (open != null) {
      open.close();
    }
    CodedAcceptor coded = hops.coded();
    if (coded != null) {
      coded.abort();
    }
  }

  private Channel listening() {
    Channel open = listening;
    if (open == null) {
      throw new IllegalStateException("the relay does not listen");
    }
    return open;
  }
}
