package io.cascade.gateway.tunnel;

import io.cascade.carriage.transport.UdpSocket;
import io.cascade.coding.crypto.Accepting;
import io.cascade.command.Printable;
import io.cascade.packets.header.IpAddress;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.socket.DatagramPacket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Answers gateways that dial. A session gets a socket of its own on the same port, connected to its
 * peer, so that the kernel separates sessions. Used on the event loop.
 */
final class LinkAcceptor extends SimpleChannelInboundHandler<DatagramPacket> {
  private static final int MOST_DATAGRAM_BYTES = 1_472;
  private static final long BETWEEN_WARNINGS_NANOS = 60_000_000_000L;
  private static final Logger LOG = Logger.getLogger(LinkAcceptor.class.getName());

  private final EventLoop loop;
  private final Accepting accepting;
  private final Map<String, Accepted> links = new ConcurrentHashMap<>();
  private final InetSocketAddress local;
  private final Predicate<IpAddress> isInTunnel;

  /** Time of the latest warning of an unexpected dialler. */
  private long strangerNanos = System.nanoTime() - BETWEEN_WARNINGS_NANOS;

  /** Sender of the datagram that is being processed. */
  private @Nullable IpAddress caller;

  /** A link whose peer dials. */
  private static final class Accepted {
    private final TunnelLink link;
    private final byte[] key;
    private boolean isWarned;

    Accepted(TunnelLink link, byte[] key) {
      this.link = link;
      this.key = key;
    }

    void warn(IpAddress caller) {
      if (!isWarned) {
        isWarned = true;
        LOG.log(
            Level.WARNING,
            "{0} dials from {1}, which is inside a route: answers to it would be sent into the"
                + " tunnel; fix: give longer prefixes without it, or --route {1}=local",
            new Object[] {link.settings().peer(), caller});
      }
    }
  }

  /**
   * @param local address at which it listens
   * @param isInTunnel tests for addresses from which no gateway may dial, since answers would be
   *     routed into the tunnel
   */
  private LinkAcceptor(EventLoop loop, InetSocketAddress local, Predicate<IpAddress> isInTunnel) {
    this.loop = loop;
    this.local = local;
    this.isInTunnel = isInTunnel;
    this.accepting = new Accepting(this::find, new SecureRandom(), TunnelLink.MOST_HALF_OPEN / 2);
  }

  /**
   * Accepts a gateway from now on.
   *
   * @param name that it gives when it dials
   */
  void accept(String name, TunnelLink link, byte[] key) {
    links.put(name, new Accepted(link, key));
  }

  /** Accepts the gateway no longer. */
  void refuse(String name) {
    links.remove(name);
  }

  private byte @Nullable [] find(byte[] name) {
    Accepted accepted = links.get(text(name));
    if (accepted == null) {
      warnOfStranger(text(name));
      return null;
    }
    IpAddress from = caller;
    if (from != null && isInTunnel.test(from)) {
      accepted.warn(from);
      return null;
    }
    return accepted.key;
  }

  /** Rate-limited, so that an unauthenticated sender cannot fill a disk. */
  private void warnOfStranger(String name) {
    long now = System.nanoTime();
    if (now - strangerNanos >= BETWEEN_WARNINGS_NANOS) {
      strangerNanos = now;
      LOG.log(
          Level.WARNING,
          "{0} dials unexpectedly; fix: use the same name, --delivery and --mtu at both ends",
          Printable.line(name));
    }
  }

  private static String text(byte[] name) {
    return new String(name, StandardCharsets.US_ASCII);
  }

  /**
   * Starts to listen.
   *
   * @param isInTunnel tests for addresses from which no gateway may dial
   * @throws IOException where the address cannot be bound
   */
  static LinkAcceptor listen(EventLoop loop, InetSocketAddress at, Predicate<IpAddress> isInTunnel)
      throws IOException {
    LinkAcceptor acceptor = new LinkAcceptor(loop, at, isInTunnel);
    Bootstrap bootstrap =
        new Bootstrap()
            .group(loop)
            .channel(EpollDatagramChannel.class)
            .option(EpollChannelOption.SO_REUSEPORT, true)
            .handler(acceptor);
    ChannelFuture bound = bootstrap.bind(at).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IOException(bound.cause().getMessage(), bound.cause());
    }
    return acceptor;
  }

  long refused() {
    return accepting.refused();
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, DatagramPacket packet) {
    byte[] bytes = new byte[packet.content().readableBytes()];
    packet.content().readBytes(bytes);
    InetSocketAddress sender = packet.sender();
    switch (answer(ByteBuffer.wrap(bytes), sender)) {
      case Accepting.HelloOutcome.Nothing _ -> {}
      case Accepting.HelloOutcome.Reply reply -> reply(context.channel(), reply.datagram(), sender);
      case Accepting.HelloOutcome.Opened opened -> open(opened, sender);
    }
  }

  private Accepting.HelloOutcome answer(ByteBuffer datagram, InetSocketAddress sender) {
    caller = IpAddress.of(sender.getAddress().getAddress());
    return accepting.onDatagram(datagram, address(sender), MOST_DATAGRAM_BYTES, System.nanoTime());
  }

  private static byte[] address(InetSocketAddress sender) {
    byte[] host = sender.getAddress().getAddress();
    return ByteBuffer.allocate(host.length + 2)
        .put(host)
        .putShort((short) sender.getPort())
        .array();
  }

  private static void reply(Channel channel, byte[] datagram, InetSocketAddress to) {
    channel.writeAndFlush(new DatagramPacket(Unpooled.wrappedBuffer(datagram), to));
  }

  private void open(Accepting.HelloOutcome.Opened opened, InetSocketAddress sender) {
    int id = opened.agreement().localConnectionId();
    Accepted accepted = links.get(text(opened.name()));
    if (accepted == null) {
      accepting.forget(id);
      return;
    }
    TunnelLink link = accepted.link;
    try {
      UdpSocket socket = UdpSocket.bindShared(local, sender);
      LinkSocket own = new LinkSocket(socket, (from, again) -> helloAgain(from, again, sender));
      own.register(loop)
          .addListener(registered -> {
            if (!registered.isSuccess()) {
              own.close();
              accepting.forget(id);
            } else if (link.opened(opened.agreement(), own, accepting)) {
              own.send(opened.welcome());
            }
          });
    } catch (IOException e) {
      LOG.log(Level.WARNING, "cannot answer {0}: {1}", new Object[] {sender, e.getMessage()});
      accepting.forget(id);
    }
  }

  /**
   * Handles a hello at the session's own socket, from a dialler that has not received its answer.
   */
  private void helloAgain(LinkSocket from, ByteBuffer datagram, InetSocketAddress sender) {
    if (answer(datagram, sender) instanceof Accepting.HelloOutcome.Reply reply) {
      from.send(reply.datagram());
    }
  }
}
