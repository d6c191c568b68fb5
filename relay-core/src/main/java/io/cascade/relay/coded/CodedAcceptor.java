package io.cascade.relay.coded;

import io.cascade.coding.crypto.Accepting;
import io.cascade.coding.crypto.Handshakes;
import io.cascade.relay.transport.UdpSocket;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Accepts sessions at the hop port. Handshakes are answered on one event loop; a session gets a
 * socket of its own on the same port, connected to its peer, and an event loop in turn.
 */
public final class CodedAcceptor {
  private static final int MOST_PENDING = 256;
  private static final int DATAGRAM_BYTES = 1_472;

  /** The first bits of sessions' datagrams and their halves. */
  private static final int SESSION_BITS = 0x40;

  /** A header with the tag of nothing. */
  private static final int LEAST_BYTES = 23;

  private static final Logger LOG = Logger.getLogger(CodedAcceptor.class.getName());

  private final EventLoopGroup loops;
  private final EventLoop home;
  private final Supplier<ChannelHandler> handlers;
  private final CodedSettings settings;
  private final Accepting accepting;
  private final AtomicInteger pending = new AtomicInteger();
  private final Map<Integer, CodedLink> links = new ConcurrentHashMap<>();
  private final Accepting.Keys keys;
  private final Map<CodedLink, Peer> sessionsOf = new ConcurrentHashMap<>();

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
    this.keys = keys;
    this.accepting =
        new Accepting(
            keys,
            new SecureRandom(),
            Math.clamp(settings.places().most() / 2, 1, Accepting.MOST_WITHOUT_COOKIE));
    Thread.ofPlatform().daemon().name("coded-warm-up").start(Handshakes::warmUp);
  }

  /**
   * Takes a datagram that came to the hop port: of a handshake, or of a session whose peer has
   * another address now. From any thread; those that come quicker than they can be answered are
   * dropped.
   *
   * @param datagram untouched, and copied where it is taken
   * @param at the hop port
   * @return whether it is one of these
   */
  public boolean offer(
      ByteBuffer datagram, InetSocketAddress from, InetSocketAddress at, Replies replies) {
    CodedLink link = sessionOf(datagram);
    if (link == null && !isHandshake(datagram)) {
      return false;
    }
    if (pending.incrementAndGet() > MOST_PENDING) {
      pending.decrementAndGet();
    } else if (link != null) {
      link.arrivals().stray(copy(datagram), from, replies, pending::decrementAndGet);
    } else {
      byte[] copy = copy(datagram);
      home.execute(() -> {
        pending.decrementAndGet();
        answer(ByteBuffer.wrap(copy), from, at, replies);
      });
    }
    return true;
  }

  private static boolean isHandshake(ByteBuffer datagram) {
    return datagram.remaining() > 1_000 && (datagram.get(datagram.position()) & 0xf0) == 0x10;
  }

  /** The session that a datagram names, which anybody can; null where it names none. */
  private @Nullable CodedLink sessionOf(ByteBuffer datagram) {
    int kind = datagram.remaining() < LEAST_BYTES ? 0 : datagram.get(datagram.position()) & 0xc0;
    return kind == SESSION_BITS ? links.get(datagram.getInt(datagram.position() + 1)) : null;
  }

  private static byte[] copy(ByteBuffer datagram) {
    byte[] copy = new byte[datagram.remaining()];
    datagram.get(datagram.position(), copy);
    return copy;
  }

  /**
   * Whether a connection to the hop port that begins with a byte says that it carries a session.
   */
  public static boolean isCarrier(byte first) {
    return (first & 0xff) < TcpCarrier.FIRST_BYTES;
  }

  /** Bytes of a connection that tell the session that it carries. */
  public static final int CARRIER_HEAD_BYTES = Short.BYTES + 1 + Integer.BYTES;

  /**
   * Takes a connection that says that it carries a session. It moves nothing before its sender has
   * proved that it has the session's keys.
   *
   * @param early the first {@link #CARRIER_HEAD_BYTES} at least; owned by this where it is taken
   * @return whether there is such a session
   */
  public boolean carry(Channel connection, ByteBuf early) {
    CodedLink link = links.get(early.getInt(early.readerIndex() + Short.BYTES + 1));
    if (link == null) {
      return false;
    }
    TcpCarrier carrier = new TcpCarrier(link.loop(), link.arrivals());
    connection.pipeline().addLast(carrier);
    link.arrivals().carry(connection, carrier, early);
    return true;
  }

  private void answer(
      ByteBuffer datagram, InetSocketAddress from, InetSocketAddress at, Replies replies) {
    switch (accepting.onDatagram(datagram, bytes(from), DATAGRAM_BYTES, System.nanoTime())) {
      case Accepting.HelloOutcome.Nothing _ -> {}
      case Accepting.HelloOutcome.Reply reply ->
          replies.send(ByteBuffer.wrap(reply.datagram()), from);
      case Accepting.HelloOutcome.Opened opened -> open(opened, from, at, replies);
    }
  }

  private static byte[] bytes(InetSocketAddress address) {
    byte[] host = address.getAddress().getAddress();
    return ByteBuffer.allocate(host.length + 2)
        .put(host)
        .putShort((short) address.getPort())
        .array();
  }

  private void open(
      Accepting.HelloOutcome.Opened opened,
      InetSocketAddress from,
      InetSocketAddress at,
      Replies replies) {
    int id = opened.agreement().localConnectionId();
    byte[] key = keys.key(opened.name());
    if (key == null || links.containsKey(id)) {
      accepting.forget(id);
      return;
    }
    // A dialler that begins anew, with shorter datagrams, has given up what it began before.
    links.values().stream()
        .filter(link -> !link.hasHeard() && link.remote().equals(from))
        .forEach(CodedLink::abandonSoon);
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
      Peer peer = new Peer(from, at, opened.name(), key, replies);
      loop.execute(() -> start(loop, socket, peer, opened));
    } catch (IOException e) {
      settings.places().free();
      LOG.log(Level.WARNING, "no socket for a coded session: {0}", e.getMessage());
      accepting.forget(id);
    }
  }

  /** Who began a session. */
  @SuppressWarnings("ArrayRecordComponent") // of this class, and never changed
  private record Peer(
      InetSocketAddress from, InetSocketAddress at, byte[] name, byte[] key, Replies replies) {}

  private void start(
      EventLoop loop, UdpSocket socket, Peer peer, Accepting.HelloOutcome.Opened opened) {
    int id = opened.agreement().localConnectionId();
    CodedLink.Listener listener =
        new CodedLink.Listener() {
          @Override
          public void heard(CodedLink link) {
            home.execute(() -> accepting.settled(id));
          }

          @Override
          public void handshake(CodedLink link, ByteBuffer datagram) {
            boolean _ = offer(datagram, peer.from(), peer.at(), peer.replies());
          }

          @Override
          public void closed(CodedLink link, String why) {
            links.remove(id);
            sessionsOf.remove(link);
            settings.places().free();
            if (!home.isShuttingDown()) {
              home.execute(() -> accepting.settled(id));
            }
          }
        };
    CodedLink link =
        new CodedLink(
            loop,
            socket,
            peer.from(),
            opened.agreement(),
            false,
            settings.streams(),
            handlers,
            AcceptorsCarriers::new,
            listener);
    links.put(id, link);
    sessionsOf.put(link, peer);
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

  /** What peers write into their datagrams; for tests. */
  Set<Integer> sessionIds() {
    return links.keySet();
  }

  /** Ends all sessions with resets. From any thread. */
  public void abort() {
    links.values().forEach(CodedLink::abortSoon);
  }

  /**
   * Some hops may be gone: sessions whose key is none any more take no more streams, and end with
   * those that run. From any thread.
   *
   * @param current keys of the hops that end here now
   */
  public void hopsChanged(Accepting.Keys current) {
    sessionsOf.forEach((link, peer) -> {
      byte[] key = current.key(peer.name());
      if (key == null || !MessageDigest.isEqual(key, peer.key())) {
        link.leaveSoon();
      }
    });
  }
}
