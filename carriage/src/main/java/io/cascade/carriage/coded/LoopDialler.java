package io.cascade.carriage.coded;

import io.cascade.carriage.coded.CodedLinkState.Event;
import io.cascade.carriage.transport.UdpSocket;
import io.cascade.coding.crypto.Agreement;
import io.cascade.coding.crypto.DiallingRace;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.netty.util.concurrent.PromiseNotifier;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * One event loop's session with a peer: opened when a connection is first needed, and again after
 * it has ended. It begins over TCP if UDP does not answer in time. If the peer accepts no session
 * over either, plain TCP is used, and the handshake is tried again from time to time, with growing
 * pauses.
 */
final class LoopDialler implements CodedLink.Listener, HelloCarrier.Outcome {
  private static final long FIRST_RETRY_SECONDS = 1;
  private static final long LAST_RETRY_SECONDS = 600;
  private static final int DATAGRAM_BYTES_V4 = 1_472;
  private static final int DATAGRAM_BYTES_V6 = 1_452;
  private static final Logger LOG = Logger.getLogger(LoopDialler.class.getName());

  private final EventLoop loop;
  private final CodedPeer peer;
  private final CodedSettings settings;
  private final TcpDial dial;
  private final UdpMemory memory;
  private final Runnable recovered;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private volatile CodedLinkState state = CodedLinkState.NONE;
  private volatile @Nullable CodedLink link;
  private volatile @Nullable String fallenBack;
  private @Nullable HelloCarrier hello;
  private long retrySeconds = FIRST_RETRY_SECONDS;

  private record Waiting(
      ChannelHandler first, Supplier<Future<Channel>> tcp, Promise<Channel> connected) {}

  LoopDialler(
      EventLoop loop,
      CodedPeer peer,
      CodedSettings settings,
      TcpDial dial,
      UdpMemory memory,
      Runnable recovered) {
    this.memory = memory;
    this.dial = dial;
    this.recovered = recovered;
    this.loop = loop;
    this.peer = peer;
    this.settings = settings;
  }

  Future<Channel> connect(ChannelHandler first, Supplier<Future<Channel>> tcp) {
    Promise<Channel> connected = loop.newPromise();
    Waiting one = new Waiting(first, tcp, connected);
    CodedLink over = link;
    if (over != null && !over.isUp()) {
      leave(); // It has ended, and only answers its peer.
    }
    switch (state) {
      case NONE -> {
        waiting.add(one);
        move(Event.WANTED);
        dial();
      }
      case DIALLING -> waiting.add(one);
      case UP -> open(one);
      case FALLEN_BACK, TRYING_AGAIN -> overTcp(one);
      case CLOSED -> connected.setFailure(new ConnectException("the hop is closed"));
    }
    return connected;
  }

  private void open(Waiting one) {
    CodedLink over = link;
    Channel channel = over == null || !over.isUp() ? null : over.open(one.first());
    if (channel == null) {
      one.connected().setFailure(new ConnectException("the coded session accepts no more streams"));
    } else {
      one.connected().setSuccess(channel);
    }
  }

  private static void overTcp(Waiting one) {
    PromiseNotifier.cascade(one.tcp().get(), one.connected());
  }

  private void move(Event event) {
    state = state.after(event);
  }

  private void dial() {
    if (!settings.places().take()) {
      failed("there is no memory for another coded session");
      return;
    }
    boolean isV6 = peer.address().getAddress() instanceof Inet6Address;
    DiallingRace race =
        new DiallingRace(
            peer.key(),
            peer.name(),
            ThreadLocalRandom.current().nextInt(),
            isV6 ? DATAGRAM_BYTES_V6 : DATAGRAM_BYTES_V4,
            settings.times().handshake().toNanos(),
            System.nanoTime());
    try {
      InetAddress any = InetAddress.getByAddress(new byte[isV6 ? 16 : 4]);
      InetSocketAddress local = new InetSocketAddress(any, peer.localPort());
      UdpSocket socket =
          peer.localPort() == 0
              ? UdpSocket.bind(local)
              : UdpSocket.bindShared(local, peer.address());
      try {
        socket.connect(peer.address());
      } catch (IOException e) {
        socket.close();
        throw e;
      }
      HelloCarrier carrier = new HelloCarrier(loop, socket, race, dial, this);
      hello = carrier;
      carrier.start();
    } catch (IOException e) {
      settings.places().free();
      failed("UDP to " + words() + " cannot be sent: " + e.getMessage());
    }
  }

  private String words() {
    return peer.address().getHostString() + ":" + peer.address().getPort();
  }

  @Override
  public void over(
      UdpSocket socket, @Nullable TcpCarrier connection, @Nullable Agreement agreement) {
    hello = null;
    if (agreement == null || state == CodedLinkState.CLOSED) {
      socket.close();
      if (connection != null) {
        connection.close();
      }
      settings.places().free();
      failed(
          "UDP to "
              + words()
              + " did not answer within "
              + settings.times().handshake().toMillis()
              + " ms, and no coded session was accepted over TCP");
      return;
    }
    boolean isRecovered = state == CodedLinkState.TRYING_AGAIN;
    move(Event.AGREED);
    fallenBack = null;
    retrySeconds = FIRST_RETRY_SECONDS;
    CodedLink made =
        new CodedLink(
            loop,
            socket,
            peer.address(),
            agreement,
            true,
            settings.streams(),
            settings.paths(),
            ChannelInboundHandlerAdapter::new,
            of -> new DiallersCarriers(loop, of, settings.times(), dial, words(), memory),
            this);
    link = made;
    made.start();
    if (connection != null) {
      made.beginOver(connection);
    }
    while (!waiting.isEmpty()) {
      open(waiting.remove());
    }
    if (isRecovered) {
      recovered.run();
    }
  }

  private void failed(String why) {
    if (state == CodedLinkState.CLOSED) {
      waiting.forEach(one -> one.connected().setFailure(new ConnectException("closed")));
      waiting.clear();
      return;
    }
    move(Event.UNANSWERED);
    String words =
        why
            + (peer.hasTls()
                ? ", running over TCP and TLS"
                : ", running over plain TCP, which this hop does not encrypt");
    if (fallenBack == null) {
      LOG.log(peer.hasTls() ? Level.INFO : Level.WARNING, words);
    }
    fallenBack = words;
    loop.schedule(this::retry, retrySeconds, TimeUnit.SECONDS);
    retrySeconds = Math.min(2 * retrySeconds, LAST_RETRY_SECONDS);
    while (!waiting.isEmpty()) {
      overTcp(waiting.remove());
    }
  }

  private void retry() {
    if (state == CodedLinkState.FALLEN_BACK) {
      move(Event.RETRY_DUE);
      dial();
    }
  }

  @Override
  public void closed(CodedLink ended, String why) {
    settings.places().free();
    if (ended == link) {
      leave();
    }
  }

  private void leave() {
    link = null;
    move(Event.SESSION_ENDED);
  }

  @Nullable String fallenBack() {
    return fallenBack;
  }

  @Nullable CodedCount count() {
    CodedLink over = link;
    return over == null ? null : over.count();
  }

  /** Callable from any thread. */
  void close() {
    if (loop.isShuttingDown()) {
      return; // Its sockets are closed with the loop.
    }
    loop.execute(() -> {
      move(Event.CLOSE);
      HelloCarrier under = hello;
      if (under != null) {
        under.cancel();
      }
      CodedLink over = link;
      if (over != null) {
        over.leave();
      }
    });
  }
}
