package io.cascade.relay.hop;

import io.cascade.carriage.coded.CodedDialler;
import io.cascade.carriage.socket.Sockets;
import io.cascade.carriage.tls.TlsRecords;
import io.cascade.carriage.transport.SocketTuning;
import io.cascade.relay.stream.StreamSettings;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections to the next relay: streams of a coded session, which seals them under the hop's
 * key, or TCP, with TLS if the hop is encrypted.
 *
 * @param next the next relay's hop port, resolved
 * @param key of the hop
 * @param security null if the hop is not encrypted
 * @param coded opens streams of coded sessions; null if the hop uses TCP
 */
record HopDialler(
    Sockets sockets,
    InetSocketAddress next,
    HopKey key,
    HopOutlet.@Nullable Security security,
    @Nullable CodedDialler coded,
    StreamSettings settings) {

  /**
   * Receives the outcome of a dial. Exactly one of its methods is called, once, on the event loop.
   */
  interface Dialled {
    /** The connection is open; no byte was sent on it. */
    void connected(HopDialHandshake connection);

    void failed(Throwable cause);
  }

  /** Time for a connection attempt, a TLS handshake or an answer. */
  Duration timeout() {
    return settings.connectTimeout();
  }

  /** The next relay's address, for messages. */
  String target() {
    return next.getHostString() + ":" + next.getPort();
  }

  /**
   * Dials on {@code loop}, whose thread must make this call.
   *
   * @param listener is told when the open connection ends
   */
  void dial(EventLoop loop, HopDialHandshake.Listener listener, Dialled dialled) {
    HopDialHandshake connection = new HopDialHandshake(key, timeout(), listener);
    SocketTuning tuning = settings.onward().tuning();
    Supplier<Future<Channel>> tcp =
        () -> sockets.connect(loop, next, tuning, timeout(), true, first(connection));
    CodedDialler sessions = coded;
    Future<Channel> connecting =
        sessions == null ? tcp.get() : sessions.connect(loop, connection, tcp);
    connecting.addListener(_ -> {
      if (!connecting.isSuccess()) {
        dialled.failed(connecting.cause());
        return;
      }
      Channel channel = connecting.getNow();
      tuning.keepAlive(channel);
      TlsRecords records = channel.pipeline().get(TlsRecords.class);
      if (records == null) {
        dialled.connected(connection);
      } else {
        handshake(channel, records, connection, dialled);
      }
    });
  }

  /** Makes the first handler of a TCP connection. */
  private ChannelHandler first(HopDialHandshake connection) {
    HopOutlet.Security over = security;
    return over == null ? connection : over.tls().dialling(next, over.next());
  }

  private void handshake(
      Channel channel, TlsRecords records, HopDialHandshake connection, Dialled dialled) {
    Future<Void> established = records.established();
    ScheduledFuture<?> deadline =
        channel
            .eventLoop()
            .schedule(() -> channel.close(), timeout().toNanos(), TimeUnit.NANOSECONDS);
    established.addListener(_ -> {
      deadline.cancel(false);
      if (established.isSuccess()) {
        channel.pipeline().addLast(connection);
        dialled.connected(connection);
      } else {
        channel.close();
        dialled.failed(established.cause());
      }
    });
  }
}
