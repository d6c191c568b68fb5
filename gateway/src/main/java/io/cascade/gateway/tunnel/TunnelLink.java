package io.cascade.gateway.tunnel;

import io.cascade.coding.crypto.Accepting;
import io.cascade.coding.crypto.Agreement;
import io.cascade.packets.forward.IpPacket;
import io.cascade.packets.queue.FairQueue;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A link to another gateway: a queue that outlives sessions, and the session that drains it. If
 * nothing is received from the peer, a new session is started beside the old one, which continues
 * until the new one is established. Used on the event loop.
 */
final class TunnelLink implements SessionCarrier.Owner {
  /** Time without a datagram of the peer after which it is probed. */
  static final long ASK_NANOS = 1_000_000_000;

  /** Time without a datagram of the peer after which a new session is dialled. */
  static final long UNHEARD_NANOS = 1_500_000_000;

  /** Time without a datagram of the peer after which the old session is closed. */
  static final long LOST_NANOS = 30_000_000_000L;

  /**
   * Time without a session after which hosts are notified: a restarting gateway takes two seconds.
   */
  static final long DOWN_NANOS = 5_000_000_000L;

  /** Time for repairs and acknowledgements of packets in flight in an old session. */
  private static final long RETIRING_MILLIS = 1_000;

  /**
   * Time after which a path for longer datagrams is probed; doubled after each probe (RFC 8899).
   */
  private static final long FIRST_GROWTH_NANOS = 1_000_000_000;

  private static final long LAST_GROWTH_NANOS = 600_000_000_000L;

  static final int MOST_HALF_OPEN = 4;
  private static final Logger LOG = Logger.getLogger(TunnelLink.class.getName());

  private final EventLoop loop;
  private final GatewaySettings gateway;
  private final LinkSettings settings;
  private final Receiver receiver;
  private final FairQueue queue;
  private final List<HalfOpen> halfOpen = new ArrayList<>();
  private @Nullable SessionCarrier current;
  private @Nullable LinkDialler dialler;
  private LinkState state = LinkState.DOWN;

  /** Time at which the state last changed. */
  private long sinceNanos;

  /** Time at which it was last up, or began. */
  private long upNanos = System.nanoTime();

  private boolean isEnding;
  private long growthNanos = FIRST_GROWTH_NANOS;
  private long growthDueNanos;
  private long sessions;
  private long dropped;
  private String lastEnd = "";

  /** A session whose dialler has yet to prove that it has the keys. */
  private record HalfOpen(SessionCarrier carrier, Accepting accepting, long untilNanos) {}

  /** Receives packets that have arrived by a link. */
  @FunctionalInterface
  interface Receiver {
    void arrived(byte[] packet);
  }

  /**
   * @param seed of the queue's hash
   */
  TunnelLink(
      EventLoop loop,
      GatewaySettings gateway,
      LinkSettings settings,
      long seed,
      Receiver receiver) {
    this.loop = loop;
    this.gateway = gateway;
    this.settings = settings;
    this.receiver = receiver;
    this.queue = new FairQueue(gateway.queue(), seed);
  }

  /** Starts to dial, if this end dials. */
  void start(byte[] key) {
    if (settings.dials()) {
      dialler = new LinkDialler(loop, gateway, settings, key, this::begin);
      dialler.wanted(true);
    }
  }

  LinkSettings settings() {
    return settings;
  }

  /** Whether it has been without a session for so long that hosts are to be notified. */
  boolean isDown(long nowNanos) {
    return state != LinkState.UP && nowNanos - upNanos >= DOWN_NANOS;
  }

  /** The longest packet that it accepts at present. */
  int mtu() {
    return current == null ? gateway.mtu() : current.mtu();
  }

  /** Accepts a packet for the peer. */
  void send(IpPacket packet) {
    SessionCarrier carrier = current;
    if (gateway.deliveryMode() == DeliveryMode.DATAGRAM) {
      queue.add(packet, System.nanoTime());
    } else if (carrier == null || !carrier.offer(packet.bytes())) {
      dropped++;
    }
    if (carrier != null) {
      carrier.wakeUp();
    }
  }

  /**
   * Accepts a half-open session.
   *
   * @return false where there is no room for it; the socket is closed then
   */
  boolean opened(Agreement agreement, LinkSocket socket, Accepting accepting) {
    if (halfOpen.size() >= MOST_HALF_OPEN) {
      socket.close();
      accepting.forget(agreement.localConnectionId());
      return false;
    }
    SessionCarrier carrier = new SessionCarrier(loop, gateway, agreement, socket, queue, this);
    halfOpen.add(new HalfOpen(carrier, accepting, System.nanoTime() + Accepting.KEPT_NANOS));
    return true;
  }

  private void begin(Agreement agreement, LinkSocket socket) {
    SessionCarrier old = current;
    boolean isLonger = old != null && agreement.datagramBytes() > old.agreement().datagramBytes();
    if ((state == LinkState.UP && !isLonger) || isEnding) {
      socket.close(); // A datagram of the old session has arrived.
      return;
    }
    SessionCarrier carrier = new SessionCarrier(loop, gateway, agreement, socket, queue, this);
    carrier.ping(); // The other end waits for a datagram under the new keys.
    become(carrier);
  }

  private void become(SessionCarrier carrier) {
    SessionCarrier before = current;
    current = carrier;
    sessions++;
    growthNanos = FIRST_GROWTH_NANOS;
    growthDueNanos = System.nanoTime() + growthNanos;
    move(LinkState.Event.SESSION_BEGAN);
    if (before != null) {
      before.retire();
      loop.schedule(before::abandon, RETIRING_MILLIS, TimeUnit.MILLISECONDS);
    }
    carrier.carry();
  }

  private void move(LinkState.Event event) {
    LinkState after = state.after(event);
    if (after != state) {
      LOG.log(Level.INFO, "link to {0}: {1} to {2}", new Object[] {settings.peer(), state, after});
      long now = System.nanoTime();
      upNanos = state == LinkState.UP ? now : upNanos;
      state = after;
      sinceNanos = now;
      if (dialler != null) {
        dialler.wanted(after != LinkState.UP && !isEnding);
      }
    }
  }

  /** Checks whether the peer answers; called a few times a second. */
  void tick(long nowNanos) {
    for (HalfOpen each : List.copyOf(halfOpen)) {
      if (nowNanos - each.untilNanos() >= 0) {
        each.carrier().abandon();
      }
    }
    SessionCarrier carrier = current;
    if (carrier == null) {
      return;
    }
    long silent = nowNanos - carrier.heardNanos();
    if (silent >= LOST_NANOS) {
      carrier.abandon();
    } else if (silent >= unheardNanos(carrier)) {
      move(LinkState.Event.SILENCE);
    }
    // A peer that accepts uses a new session once it has received a datagram of it.
    if (silent >= ASK_NANOS || !carrier.isHeard()) {
      carrier.ping();
    }
    if (state == LinkState.UP && nowNanos - growthDueNanos >= 0) {
      grow(nowNanos);
    }
  }

  /** Time in which two probes are answered or lost. */
  private static long unheardNanos(SessionCarrier carrier) {
    long answered = ASK_NANOS + 2 * carrier.account().roundTripNanos() + Gateway.TICK_NANOS;
    return Math.max(UNHEARD_NANOS, answered);
  }

  private void grow(long nowNanos) {
    if (dialler != null && dialler.mayGrow()) {
      dialler.grow();
      growthNanos = Math.min(2 * growthNanos, LAST_GROWTH_NANOS);
    }
    growthDueNanos = nowNanos + growthNanos;
  }

  @Override
  public void arrived(byte[] packet) {
    receiver.arrived(packet);
  }

  @Override
  public void heard(SessionCarrier carrier) {
    for (HalfOpen each : halfOpen) {
      if (each.carrier().equals(carrier)) {
        halfOpen.remove(each);
        each.accepting().settled(carrier.agreement().localConnectionId());
        become(carrier);
        return;
      }
    }
    // Datagrams before the port was reported unreachable do not count.
    if (carrier.equals(current) && carrier.heardNanos() - sinceNanos > 0) {
      move(LinkState.Event.HEARD);
    }
  }

  @Override
  public void unreachable(SessionCarrier carrier) {
    if (carrier.equals(current)) {
      move(LinkState.Event.SILENCE);
    }
  }

  @Override
  public void closed(SessionCarrier carrier) {
    halfOpen.removeIf(each -> {
      boolean isIt = each.carrier().equals(carrier);
      if (isIt) {
        each.accepting().settled(carrier.agreement().localConnectionId());
      }
      return isIt;
    });
    dropped += carrier.packetsTooLong();
    ended(carrier);
  }

  @Override
  public void ended(SessionCarrier carrier) {
    if (carrier.equals(current)) {
      current = null;
      lastEnd = carrier.reason();
      move(LinkState.Event.SESSION_ENDED);
    }
  }

  /** Closes the session and notifies the peer. */
  void end() {
    isEnding = true;
    if (dialler != null) {
      dialler.wanted(false);
    }
    for (HalfOpen each : List.copyOf(halfOpen)) {
      each.carrier().abandon();
    }
    if (current != null) {
      current.end();
    }
  }

  LinkStatus status(long nowNanos) {
    SessionCarrier carrier = current;
    return new LinkStatus(
        settings.peer(),
        state,
        settings.remote() == null ? null : settings.remote().toString(),
        sessions,
        lastEnd,
        mtu(),
        carrier == null ? -1 : Math.max(0, (nowNanos - carrier.heardNanos()) / 1_000_000),
        carrier == null ? null : SessionStatus.of(carrier),
        queue.counts(),
        dropped + (carrier == null ? 0 : carrier.packetsTooLong()));
  }
}
