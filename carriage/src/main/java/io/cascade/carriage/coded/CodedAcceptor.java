package io.cascade.carriage.coded;

import io.cascade.carriage.socket.UdpPort;
import io.cascade.carriage.transport.UdpSocket;
import io.cascade.coding.crypto.Accepting;
import io.cascade.coding.crypto.Handshakes;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Accepts sessions at the hop port, over UDP and over TCP. One event loop answers handshakes. Each
 * session gets its own socket on the same port, connected to its peer. Sessions are assigned to
 * event loops in turn, but one that begins over a connection uses that connection's loop.
 */
public final class CodedAcceptor {
  private static final int MOST_PENDING = 256;
  private static final int DATAGRAM_BYTES = 1_472;

  /** Most connections with a handshake in progress. */
  private static final int MOST_TCP_HELLOS = 256;

  /** The first bits of sessions' datagrams and their halves. */
  private static final int SESSION_BITS = 0x40;

  /** Bytes of a connection that name the session that it carries. */
  private static final int CARRIER_HEAD_BYTES = Short.BYTES + 1 + Integer.BYTES;

  /** A header with the authenticator of an empty payload. */
  private static final int LEAST_BYTES = 23;

  private static final Logger LOG = Logger.getLogger(CodedAcceptor.class.getName());

  private final EventLoopGroup loops;
  private final EventLoop home;
  private final Accepting accepting;
  private final AcceptedSessions sessions;
  private final AtomicInteger pending = new AtomicInteger();
  private final AtomicInteger strays = new AtomicInteger();
  private final AtomicInteger tcpHellos = new AtomicInteger();

  /** Sends a datagram from the hop port. */
  @FunctionalInterface
  public interface Replies {
    void send(ByteBuffer datagram, InetSocketAddress to);
  }

  /**
   * @param services called on an event loop
   */
  public CodedAcceptor(EventLoopGroup loops, CodedService.Names services, CodedSettings settings) {
    this.loops = loops;
    this.home = loops.next();
    this.sessions = new AcceptedSessions(services, settings, new Settling());
    this.accepting =
        new Accepting(
            name -> key(services, name),
            sessions,
            new SecureRandom(),
            Math.clamp(settings.places().most() / 2, 1, Accepting.MOST_WITHOUT_COOKIE));
    Thread.ofPlatform().daemon().name("coded-warm-up").start(Handshakes::warmUp);
  }

  private static byte @Nullable [] key(CodedService.Names services, byte[] name) {
    CodedService service = services.of(name);
    return service == null ? null : service.key();
  }

  /**
   * Opens a UDP port for sessions. Each session has its own socket on the same port, so that only
   * handshakes, and datagrams of sessions whose peer has a new address, arrive here.
   *
   * @param at the address and number; 0 chooses a free one
   * @param others receives datagrams that are not of coded sessions, with their senders, on the
   *     port's thread; a datagram is valid until the call returns
   * @throws IOException if the port is taken
   */
  public UdpPort listen(InetSocketAddress at, BiConsumer<ByteBuffer, InetSocketAddress> others)
      throws IOException {
    UdpPort port = UdpPort.open(at);
    port.receive(
        "coded-port",
        (datagram, from) -> {
          if (!offer(datagram, from, port.address(), port::send)) {
            others.accept(datagram, from);
          }
        });
    return port;
  }

  /**
   * Takes a datagram that arrived at the hop port: of a handshake, or of a session whose peer has a
   * new address. May be called from any thread. Datagrams that arrive faster than they can be
   * answered are dropped.
   *
   * @param datagram left unchanged; copied if it is taken
   * @param at the hop port
   * @return whether it was of a coded session
   */
  public boolean offer(
      ByteBuffer datagram, InetSocketAddress from, InetSocketAddress at, Replies replies) {
    CodedLink link = sessionOf(datagram);
    if (link == null && !isHandshake(datagram)) {
      return false;
    }
    // Counted separately: any sender can name a session, which must not keep handshakes from being
    // answered.
    AtomicInteger waiting = link == null ? pending : strays;
    if (waiting.incrementAndGet() > MOST_PENDING) {
      waiting.decrementAndGet();
    } else if (link != null) {
      link.arrivals().stray(copy(datagram), from, replies, strays::decrementAndGet);
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

  /**
   * Returns the session that a datagram names, which is not authenticated; null if it names none.
   */
  private @Nullable CodedLink sessionOf(ByteBuffer datagram) {
    int kind = datagram.remaining() < LEAST_BYTES ? 0 : datagram.get(datagram.position()) & 0xc0;
    return kind == SESSION_BITS ? sessions.get(datagram.getInt(datagram.position() + 1)) : null;
  }

  private static byte[] copy(ByteBuffer datagram) {
    byte[] copy = new byte[datagram.remaining()];
    datagram.get(datagram.position(), copy);
    return copy;
  }

  /**
   * Whether a connection to the hop port whose first byte is {@code first} claims to carry a
   * session.
   */
  public static boolean isCarrier(byte first) {
    return (first & 0xff) < TcpCarrier.FIRST_BYTES;
  }

  /**
   * Number of bytes of a connection that must have arrived before it is taken: a handshake must be
   * complete.
   */
  public static int carrierHeadBytes(ByteBuf bytes) {
    if (bytes.readableBytes() < CARRIER_HEAD_BYTES || !isHello(bytes)) {
      return CARRIER_HEAD_BYTES;
    }
    int datagram = bytes.getUnsignedShort(bytes.readerIndex());
    return Math.max(CARRIER_HEAD_BYTES, Short.BYTES + datagram);
  }

  private static boolean isHello(ByteBuf bytes) {
    return (bytes.getByte(bytes.readerIndex() + Short.BYTES) & 0xf0) == 0x10;
  }

  /**
   * Takes a connection that claims to carry a session, or begins one. It does not become the
   * session's carrier before its sender has proved that it holds the session's keys. Called on the
   * connection's event loop.
   *
   * @param early at least the first {@link #carrierHeadBytes}; handed over if the connection is
   *     taken
   * @return whether the session exists, or may be begun
   */
  public boolean carry(Channel connection, ByteBuf early) {
    if (isHello(early)) {
      return hello(connection, early);
    }
    CodedLink link = sessions.get(early.getInt(early.readerIndex() + Short.BYTES + 1));
    if (link == null) {
      return false;
    }
    TcpCarrier carrier = new TcpCarrier(link.loop(), link.arrivals());
    connection.pipeline().addLast(carrier);
    link.arrivals().carry(connection, carrier, early);
    return true;
  }

  private boolean hello(Channel connection, ByteBuf early) {
    if (tcpHellos.incrementAndGet() > MOST_TCP_HELLOS) {
      tcpHellos.decrementAndGet();
      return false;
    }
    new TcpHello(connection, new TcpJudge()).start(early);
    return true;
  }

  /** Judges handshakes over TCP by the same rules; a cookie is valid for its connection. */
  private final class TcpJudge implements TcpHello.Judge {
    @Override
    public boolean judge(TcpHello hello, byte[] datagram) {
      if (pending.incrementAndGet() > MOST_PENDING) {
        pending.decrementAndGet();
        return false;
      }
      byte[] address = tcpAddress(hello.remote());
      home.execute(() -> {
        pending.decrementAndGet();
        Accepting.HelloOutcome answer =
            accepting.onDatagram(
                ByteBuffer.wrap(datagram), address, DATAGRAM_BYTES, System.nanoTime());
        if (!hello.loop().isShuttingDown()) {
          hello.loop().execute(() -> hello.judged(answer));
        }
      });
      return true;
    }

    @Override
    public boolean begin(TcpHello hello, Accepting.HelloOutcome.Opened opened) {
      AcceptedSessions.Place place =
          sessions.place(opened, hello.remote(), hello.local(), (_, _) -> {});
      if (place == null) {
        return false;
      }
      hello.send(opened.welcome());
      sessions.start(hello.loop(), place, opened).beginOver(hello.carrier());
      return true;
    }

    @Override
    public void forget(Accepting.HelloOutcome.Opened opened) {
      int id = opened.agreement().localConnectionId();
      onHome(() -> accepting.forget(id));
    }

    @Override
    public void over() {
      tcpHellos.decrementAndGet();
    }
  }

  /** Differs from the UDP address, whose port may be the same. */
  private static byte[] tcpAddress(InetSocketAddress address) {
    byte[] bytes = bytes(address);
    return Arrays.copyOf(bytes, bytes.length + 1);
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

  static byte[] bytes(InetSocketAddress address) {
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
    sessions.abandonAt(from);
    AcceptedSessions.Place place = sessions.place(opened, from, at, replies);
    if (place == null) {
      return;
    }
    UdpSocket socket = place.socket();
    try {
      socket.buffer().put(opened.welcome());
      socket.add(opened.welcome().length);
      boolean _ = socket.flush();
    } catch (IOException e) {
      LOG.log(Level.FINE, "a welcome was not sent: {0}", e.getMessage()); // The HELLO is repeated.
    }
    EventLoop loop = loops.next();
    loop.execute(() -> {
      CodedLink _ = sessions.start(loop, place, opened);
    });
  }

  /** Receives the sessions' reports on their handshakes. */
  private final class Settling implements AcceptedSessions.Handshakes {
    @Override
    public void settled(int id) {
      onHome(() -> accepting.settled(id));
    }

    @Override
    public void forget(int id) {
      onHome(() -> accepting.forget(id));
    }

    @Override
    public void again(ByteBuffer datagram, AcceptedSessions.Peer from) {
      boolean _ = offer(datagram, from.from(), from.at(), from.replies());
    }
  }

  private void onHome(Runnable task) {
    if (home.inEventLoop()) {
      task.run();
    } else if (!home.isShuttingDown()) {
      home.execute(task);
    }
  }

  /** Number of established sessions. May be called from any thread. */
  public int sessions() {
    return sessions.count();
  }

  /** Returns the session identifiers that peers write into their datagrams; for tests. */
  Set<Integer> sessionIds() {
    return sessions.ids();
  }

  /**
   * Ends all sessions without notifying their peers, as the end of the process would; for tests.
   */
  void forget() {
    sessions.forget();
  }

  /** Ends all sessions with resets. May be called from any thread. */
  public void abort() {
    sessions.abort();
  }

  /**
   * Hops may have been removed: sessions whose key was withdrawn accept no more streams, and end
   * with their running ones. May be called from any thread.
   *
   * @param current keys of the hops that end here now
   */
  public void hopsChanged(Accepting.Keys current) {
    sessions.hopsChanged(current);
  }
}
