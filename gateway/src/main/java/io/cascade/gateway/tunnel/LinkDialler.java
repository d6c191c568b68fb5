package io.cascade.gateway.tunnel;

import io.cascade.carriage.transport.UdpSocket;
import io.cascade.coding.crypto.Agreement;
import io.cascade.coding.crypto.Dialling;
import io.cascade.coding.datagram.Datagrams;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Dials another gateway for as long as a session is wanted: one handshake after the other, each
 * from another port when there was no answer for a while, eventually with shorter datagrams. Beside
 * a session with short datagrams it probes for one with longer ones. Used on the event loop.
 */
final class LinkDialler {
  /** Time-out of the first handshakes; doubled each time that all lengths were dialled in vain. */
  private static final long HANDSHAKE_NANOS = 560_000_000;

  /** More than a satellite path with a cookie exchange takes. */
  private static final long LONGEST_HANDSHAKE_NANOS = 3_000_000_000L;

  private static final long AFTER_FAILURE_NANOS = 250_000_000;

  /** Headers of the longest repair, a symbol's length field and the tag. */
  private static final int HEAD_BYTES = 37;

  private static final Logger LOG = Logger.getLogger(LinkDialler.class.getName());

  private final EventLoop loop;
  private final LinkSettings settings;
  private final byte[] key;
  private final byte[] name;
  private final DatagramSizes sizes;
  private final BiConsumer<Agreement, LinkSocket> agreed;
  private final SecureRandom random = new SecureRandom();
  private @Nullable Dialling dialling;
  private @Nullable LinkSocket socket;
  private @Nullable Future<?> timer;
  private boolean isWanted;

  /**
   * @param agreed gets the session and its socket, which it owns from then on
   */
  LinkDialler(
      EventLoop loop,
      GatewaySettings gateway,
      LinkSettings settings,
      byte[] key,
      BiConsumer<Agreement, LinkSocket> agreed) {
    this.loop = loop;
    this.settings = settings;
    this.key = key;
    this.name = LinkSettings.helloName(gateway.name(), gateway.deliveryMode(), gateway.mtu());
    this.sizes =
        new DatagramSizes(
            Math.max(
                Dialling.LEAST_DATAGRAM_BYTES, Datagrams.contentBytes(gateway.mtu()) + HEAD_BYTES));
    this.agreed = agreed;
  }

  /** Sets whether a session is wanted; if not, a pending handshake is cancelled. */
  void wanted(boolean value) {
    if (value != isWanted) {
      isWanted = value;
      giveUp();
      if (value) {
        dial(sizes.size());
      }
    }
  }

  /** Whether the path may carry longer datagrams than the present session uses. */
  boolean mayGrow() {
    return sizes.mayGrow();
  }

  /** Dials once for a session with longer datagrams, beside the present one. */
  void grow() {
    if (!isWanted && dialling == null && sizes.mayGrow()) {
      dial(sizes.longer());
    }
  }

  private void giveUp() {
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
    if (socket != null) {
      socket.close();
      socket = null;
    }
    dialling = null;
  }

  private void dial(int datagramBytes) {
    InetSocketAddress remote = settings.remote();
    if (remote == null) {
      return;
    }
    try {
      UdpSocket opened = UdpSocket.bind(new InetSocketAddress(0));
      opened.connect(remote);
      LinkSocket own = new LinkSocket(opened, this::onDatagram);
      socket = own;
      long now = System.nanoTime();
      dialling =
          new Dialling(
              key,
              name,
              random.nextInt(),
              datagramBytes,
              Dialling.Repetition.SAME_LENGTH,
              now,
              now + handshakeNanos());
      own.register(loop)
          .addListener(registered -> {
            if (registered.isSuccess() && own.equals(socket)) {
              poll();
            } else if (!registered.isSuccess()) {
              failed(registered.cause());
            }
          });
    } catch (IOException e) {
      failed(e);
    }
  }

  private long handshakeNanos() {
    return Math.min(HANDSHAKE_NANOS << Math.min(sizes.rounds(), 3), LONGEST_HANDSHAKE_NANOS);
  }

  private void failed(Throwable cause) {
    LOG.log(Level.FINE, "cannot dial {0}: {1}", new Object[] {settings.peer(), cause.getMessage()});
    giveUp();
    if (isWanted) {
      again(AFTER_FAILURE_NANOS);
    }
  }

  private void again(long delayNanos) {
    timer = loop.schedule(() -> dial(sizes.size()), delayNanos, TimeUnit.NANOSECONDS);
  }

  private void poll() {
    Dialling current = dialling;
    LinkSocket own = socket;
    if (current == null || own == null) {
      return;
    }
    byte[] datagram = current.poll(System.nanoTime());
    if (datagram != null) {
      own.send(datagram);
    }
    if (current.nextNanos() == Long.MAX_VALUE) { // Failed; an answer is handled elsewhere.
      giveUp();
      if (isWanted) {
        sizes.failed();
        again(0);
      }
      return;
    }
    if (timer != null) {
      timer.cancel(false);
    }
    long wait = Math.max(0, current.nextNanos() - System.nanoTime());
    timer = loop.schedule(this::poll, wait, TimeUnit.NANOSECONDS);
  }

  private void onDatagram(LinkSocket from, ByteBuffer datagram) {
    Dialling current = dialling;
    if (current == null || !from.equals(socket)) {
      return;
    }
    current.onDatagram(datagram, System.nanoTime());
    Agreement agreement = current.agreement();
    if (agreement == null) {
      poll(); // A message may be due at once.
      return;
    }
    socket = null;
    isWanted = false;
    giveUp();
    sizes.agreed(agreement.datagramBytes());
    agreed.accept(agreement, from);
  }
}
