package io.cascade.gateway.tunnel;

import io.cascade.carriage.coded.SessionDriver;
import io.cascade.coding.control.DelayCompete;
import io.cascade.coding.crypto.Agreement;
import io.cascade.coding.datagram.Datagram;
import io.cascade.coding.datagram.DatagramSource;
import io.cascade.coding.datagram.Datagrams;
import io.cascade.coding.datagram.OrderedDatagrams;
import io.cascade.coding.redundancy.PaperBlocks;
import io.cascade.coding.redundancy.RedundancyPolicy;
import io.cascade.coding.redundancy.SlidingDeficit;
import io.cascade.coding.session.CodedSession;
import io.cascade.coding.session.SessionAccount;
import io.cascade.coding.session.SessionSettings;
import io.cascade.coding.session.SessionState;
import io.cascade.packets.queue.FairQueue;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.security.SecureRandom;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A coded session between two gateways and the packets that it carries. Used on the event loop. */
final class SessionCarrier implements SessionDriver.Application {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int WINDOW_SYMBOLS = 2_048;

  /** Most packets in flight that count as sparse: each may be the last one for a while. */
  private static final int TAIL_PACKETS = 4;

  /** The source's n at low loss. */
  private static final int BLOCK_SYMBOLS = 40;

  private final EventLoop loop;
  private final Owner owner;
  private final Agreement agreement;
  private final int mtu;
  private final @Nullable Datagrams datagrams;
  private final @Nullable OrderedDatagrams ordered;
  private final CodedSession session;
  private final SessionDriver driver;
  private final long begunNanos;
  private @Nullable Future<?> orderTimer;
  private long timerNanos = Datagrams.NEVER;
  private boolean isCarrying;
  private boolean isClosed;

  /** Owner of the packets that it carries. */
  interface Owner {
    /** A packet has arrived. */
    void arrived(byte[] packet);

    /** An authentic datagram has arrived. */
    void heard(SessionCarrier carrier);

    /** The peer's host reports that the port is unreachable. */
    void unreachable(SessionCarrier carrier);

    /** The session has ended; may be called more than once. */
    void ended(SessionCarrier carrier);

    /** The carrier and its socket have been closed. */
    void closed(SessionCarrier carrier);
  }

  /**
   * @param queue of packets for the mode DATAGRAM
   */
  SessionCarrier(
      EventLoop loop,
      GatewaySettings settings,
      Agreement agreement,
      LinkSocket socket,
      FairQueue queue,
      Owner owner) {
    this.loop = loop;
    this.owner = owner;
    this.agreement = agreement;
    int content = Math.min(Datagrams.contentBytes(settings.mtu()), agreement.contentBytes());
    this.mtu = Datagrams.mostBytes(content);
    SessionSettings session =
        new SessionSettings(
            agreement.localConnectionId(),
            agreement.remoteConnectionId(),
            content,
            WINDOW_SYMBOLS,
            SessionSettings.USUAL_SILENCE_NANOS,
            // The peer must not be able to predict which packet numbers are skipped.
            RANDOM.nextLong());
    boolean isOrdered = settings.deliveryMode() == DeliveryMode.ORDERED;
    this.datagrams = isOrdered ? null : new Datagrams(content, new Packets(queue), owner::arrived);
    RedundancyPolicy policy =
        isOrdered
            ? new PaperBlocks(BLOCK_SYMBOLS)
            : new SlidingDeficit(settings.caution(), TAIL_PACKETS);
    this.begunNanos = System.nanoTime();
    this.session = new CodedSession(session, new DelayCompete(), policy, datagrams, begunNanos);
    this.ordered =
        isOrdered ? new OrderedDatagrams(this.session, OrderedDatagrams.USUAL_PACKETS) : null;
    this.driver =
        new SessionDriver(
            loop, socket.socket(), this.session, session, agreement.protection(), this);
    socket.carries(driver);
    driver.turnSoon();
  }

  /** Allows it to take packets from the queue. */
  void carry() {
    isCarrying = true;
    wakeUp();
  }

  /** Stops taking packets; those in flight are still repaired and acknowledged. */
  void retire() {
    isCarrying = false;
  }

  Agreement agreement() {
    return agreement;
  }

  /** The longest packet that it carries. */
  int mtu() {
    return mtu;
  }

  /** Accepts a packet of the mode ORDERED; returns whether there was room. */
  boolean offer(byte[] packet) {
    return ordered != null && ordered.offer(packet);
  }

  /** A packet was queued or offered. */
  void wakeUp() {
    if (!isClosed) {
      driver.turnSoon();
    }
  }

  @Override
  public void receiving(long nowNanos) {
    if (datagrams != null) {
      datagrams.receiving(nowNanos);
    }
  }

  @Override
  public void ready(SessionDriver turning) {
    long now = System.nanoTime();
    if (datagrams != null) {
      datagrams.onTime(now);
      setOrderTimer(datagrams.nextNanos(), now);
    }
    if (ordered != null) {
      ordered.write();
      ordered.read(now, owner::arrived);
    }
    if (isHeard()) {
      owner.heard(this);
    }
    // It still answers a peer that has ended the session.
    if (session.state() == SessionState.LINGERING) {
      isCarrying = false;
      owner.ended(this);
    }
  }

  /** Whether an authentic datagram has arrived. */
  boolean isHeard() {
    return session.heardNanos() - begunNanos > 0;
  }

  /** Sets the timer that releases packets held for order, even if no other packet arrives. */
  private void setOrderTimer(long atNanos, long now) {
    if (atNanos == timerNanos) {
      return;
    }
    if (orderTimer != null) {
      orderTimer.cancel(false);
      orderTimer = null;
    }
    timerNanos = atNanos;
    if (atNanos != Datagrams.NEVER) {
      orderTimer =
          loop.schedule(this::onOrderTimer, Math.max(0, atNanos - now), TimeUnit.NANOSECONDS);
    }
  }

  private void onOrderTimer() {
    orderTimer = null;
    timerNanos = Datagrams.NEVER;
    if (datagrams != null && !isClosed) {
      long now = System.nanoTime();
      datagrams.onTime(now);
      setOrderTimer(datagrams.nextNanos(), now);
    }
  }

  /** Returns the time of the last authentic datagram, or of the beginning. */
  long heardNanos() {
    return session.heardNanos();
  }

  /** Requests an answer of the peer. */
  void ping() {
    session.ping();
    wakeUp();
  }

  /** Closes it without notifying the peer. */
  void abandon() {
    isCarrying = false;
    session.abandon();
    wakeUp();
  }

  /** Closes it and notifies the peer. */
  void end() {
    driver.reset(0);
  }

  @Override
  public void unreachable(SessionDriver turning) {
    owner.unreachable(this);
  }

  @Override
  public void closed(SessionDriver turning) {
    isClosed = true;
    if (datagrams != null) {
      datagrams.release();
    }
    setOrderTimer(Datagrams.NEVER, 0);
    owner.closed(this);
  }

  SessionAccount account() {
    return session.account();
  }

  /** Why it ended. */
  String reason() {
    return session.reason().name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  long packetsSent() {
    return datagrams != null ? datagrams.sent() : ordered != null ? ordered.sent() : 0;
  }

  long packetsReceived() {
    return datagrams != null ? datagrams.received() : ordered != null ? ordered.received() : 0;
  }

  /** Packets that arrived after they were no longer waited for. */
  long packetsLate() {
    return datagrams != null ? datagrams.late() : 0;
  }

  /** Packets that were dropped because they exceed the path's datagram length. */
  long packetsTooLong() {
    return datagrams != null ? datagrams.tooLong() : 0;
  }

  /** Datagrams that failed authentication. */
  long forged() {
    return agreement.protection().refused();
  }

  private final class Packets implements DatagramSource {
    private final FairQueue queue;

    Packets(FairQueue queue) {
      this.queue = queue;
    }

    @Override
    public boolean waits() {
      return isCarrying && !queue.isEmpty();
    }

    @Override
    public Datagram next(long nowNanos) {
      FairQueue.Next next = Objects.requireNonNull(queue.next(nowNanos), "nothing waits");
      return new Datagram(next.flow(), next.packet().bytes());
    }
  }
}
