package io.cascade.relay.coded;

import io.cascade.coding.crypto.Accepting;
import io.cascade.coding.crypto.Handshakes;
import io.cascade.relay.transport.UdpSocket;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Accepts sessions at the hop port. Handshakes are answered on one event loop; a session gets a
 * socket of its own on the same port, connected to its peer, and an event loop in turn.
 */
public final class CodedAcceptor {
  private static final int MOST_PENDING = 256;
  private static final int DATAGRAM_BYTES = 1_472;
  private static final Logger LOG = Logger.getLogger(CodedAcceptor.class.getName());

  private final EventLoopGroup loops;
  private final EventLoop home;
  private final Supplier<ChannelHandler> handlers;
  private final CodedSettings settings;
  private final Accepting accepting;
  private final AtomicInteger pending = new AtomicInteger();
  private final Set<CodedLink> links = ConcurrentHashMap.newKeySet();

  /** Sends a datagram from the hop port. */
  @FunctionalInterface
  public interface Replies {
    void send(ByteBuffer datagram, InetSocketAddress to);
  }

  /**
   * @param keys of the hops that end here; asked on an event loop
   * @param handlers the first one of each connection
   */
  public CodedAcceptor(
      EventLoopGroup loops,
      Accepting.Keys keys,
      Supplier<ChannelHandler> handlers,
      CodedSettings settings) {
    this.loops = loops;
    this.home = loops.next();
    this.handlers = handlers;
    this.settings = settings;
    this.accepting =
        new Accepting(
            keys,
            new SecureRandom(),
            Math.clamp(settings.places().most() / 2, 1, Accepting.MOST_WITHOUT_COOKIE));
    Thread.ofPlatform().daemon().name("coded-warm-up").start(Handshakes::warmUp);
  }

  /** Whether a datagram that came to the hop port may be a handshake's. */
  public static boolean isHandshake(ByteBuffer datagram) {
    return datagram.remaining() > 1_000 && (datagram.get(datagram.position()) & 0xf0) == 0x10;
  }

  /**
   * Takes a datagram that came to the hop port. From any thread; those that come quicker than they
   * can be answered are dropped.
   *
   * @param datagram copied
   * @param at the hop port
   */
  public void offer(
      ByteBuffer datagram, InetSocketAddress from, InetSocketAddress at, Replies replies) {
    if (pending.get() >= MOST_PENDING) {
      return;
    }
    pending.incrementAndGet();
    byte[] copy = new byte[datagram.remaining()];
    datagram.get(copy);
    home.execute(() -> {
      pending.decrementAndGet();
      answer(ByteBuffer.wrap(copy), from, at, replies);
    });
  }

  private void answer(
      ByteBuffer datagram, InetSocketAddress from, InetSocketAddress at, Replies replies) {
    switch (accepting.onDatagram(datagram, bytes(from), DATAGRAM_BYTES, System.nanoTime())) {
      case Accepting.Answer.Nothing _ -> {}
      case Accepting.Answer.Reply reply -> replies.send(ByteBuffer.wrap(reply.datagram()), from);
      case Accepting.Answer.Opened opened -> open(opened, from, at);
    }
  }

  private static byte[] bytes(InetSocketAddress address) {
    byte[] host = address.getAddress().getAddress();
    return ByteBuffer.allocate(host.length + 2)
        .put(host)
        .putShort((short) address.getPort())
        .array();
  }

  private void open(Accepting.Answer.Opened opened, InetSocketAddress from, InetSocketAddress at) {
    int id = opened.agreement().localConnectionId();
    if (!settings.places().take()) {
      accepting.forget(id);
      return; // The dialler hears nothing and falls back to TCP.
    }
    try {
      UdpSocket socket = UdpSocket.bindShared(at);
      try {
        socket.connect(from);
        socket.buffer().put(opened.welcome());
        socket.add(opened.welcome().length);
        boolean _ = socket.flush();
      } catch (IOException e) {
        socket.close();
        throw e;
      }
      EventLoop loop = loops.next();
      loop.execute(() -> start(loop, socket, from, opened));
    } catch (IOException e) {
      settings.places().free();
      LOG.log(Level.WARNING, "no socket for a coded session: {0}", e.getMessage());
      accepting.forget(id);
    }
  }

  private void start(
      EventLoop loop, UdpSocket socket, InetSocketAddress from, Accepting.Answer.Opened opened) {
    int id = opened.agreement().localConnectionId();
    CodedLink.Listener listener =
        new CodedLink.Listener() {
          @Override
          public void heard(CodedLink link) {
            home.execute(() -> accepting.settled(id));
          }

          @Override
          public void closed(CodedLink link, String why) {
            links.remove(link);
            settings.places().free();
            home.execute(() -> accepting.settled(id));
          }
        };
    CodedLink link =
        new CodedLink(
            loop, socket, from, opened.agreement(), false, settings.streams(), handlers, listener);
    links.add(link);
    link.start();
    loop.schedule(
        () -> {
          if (!link.hasHeard()) {
            link.abandon();
          }
        },
        Accepting.KEPT_NANOS,
        TimeUnit.NANOSECONDS);
  }

  /** Sessions that stand. From any thread. */
  public int sessions() {
    return links.size();
  }

  /** Ends all sessions with resets. From any thread. */
  public void abort() {
    links.forEach(CodedLink::abortSoon);
  }
}
