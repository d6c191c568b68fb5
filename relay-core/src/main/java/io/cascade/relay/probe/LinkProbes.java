package io.cascade.relay.probe;

import io.cascade.api.orchestrator.RelayPeer;
import io.cascade.carriage.socket.UdpPorts;
import io.cascade.command.names.NamedPeer;
import io.cascade.relay.admission.KnownPeers;
import io.cascade.relay.destination.AddressRefused;
import io.cascade.relay.destination.AddressRule;
import io.cascade.relay.thread.LastingThread;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Measures the links to other relays and answers their probes, on one UDP port.
 *
 * <p>Uses two platform threads, one that receives and one that sends: timestamps are taken right
 * after and right before the system call and must not wait for an event loop or a carrier thread.
 */
public final class LinkProbes implements PacketTotals, AutoCloseable {
  private static final Logger LOG = Logger.getLogger(LinkProbes.class.getName());

  /** Longer than any datagram that is passed on. */
  private static final int LONGEST = 2_048;

  /**
   * Packets of a train wait here while the receiving thread does not run; the kernel may grant
   * less.
   */
  private static final int RECEIVE_BUFFER = 4 << 20;

  /** Time to find out which address of a peer answers, if its name has several. */
  private static final Duration CHOOSING = Duration.ofMillis(500);

  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(1);

  private final DatagramChannel channel;
  private final Others others;
  private final AddressRule hops;
  private final InetSocketAddress address;
  private final LongSupplier nanoClock;
  private final InstantSource wallClock;
  private final KnownPeers known;
  private final StampReflector reflector;
  private final StampSender sender;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final AtomicLong malformed = new AtomicLong();
  private final AtomicLong stray = new AtomicLong();
  private final AtomicLong unsent = new AtomicLong();
  private final Thread receiving;
  private final Thread sending;
  private final ByteBuffer incoming = ByteBuffer.allocateDirect(LONGEST);
  private final ByteBuffer answering = ByteBuffer.allocateDirect(StampPacket.LENGTH);
  private final ByteBuffer outgoing = ByteBuffer.allocateDirect(StampPacket.LENGTH);
  private @Nullable Given given;
  private boolean resolving;

  /** Last logged reasons for which peers are left out, by name. Used by the resolving thread. */
  private Map<String, String> leftOut = Map.of();

  /** Receives the datagrams on the port that are no link probes. Called on the receiving thread. */
  @FunctionalInterface
  public interface Others {
    /** Accepts no datagram. */
    Others NONE = (_, _, _) -> false;

    /**
     * Inspects a datagram.
     *
     * @param datagram valid until the method returns
     * @return whether it was accepted; otherwise it is a link probe and was left unchanged
     */
    boolean take(ByteBuffer datagram, InetSocketAddress source, Replies replies);
  }

  /** Sends from the port. May be called from any thread. */
  @FunctionalInterface
  public interface Replies {
    void send(ByteBuffer datagram, InetSocketAddress to);
  }

  /** The orchestrator's last list of peers. */
  private record Given(List<RelayPeer> peers, Duration leastBetween) {}

  private LinkProbes(
      DatagramChannel channel,
      Others others,
      AddressRule hops,
      KnownPeers known,
      LongSupplier nanoClock,
      InstantSource wallClock,
      RandomGenerator random)
      throws IOException {
    this.channel = channel;
    this.others = others;
    this.hops = hops;
    this.known = known;
    this.reflector = new StampReflector(known);
    this.address = (InetSocketAddress) channel.getLocalAddress();
    this.nanoClock = nanoClock;
    this.wallClock = wallClock;
    this.sender = new StampSender(random);
    this.receiving = LastingThread.unstarted("probe-receive", this::receive);
    this.sending = LastingThread.unstarted("probe-send", this::send);
  }

  /**
   * Opens the port. Test packets are answered once this method returns; nothing is measured until
   * {@link #peers} is called.
   *
   * @param bind the hop port's address and number; port 0 chooses a free one
   * @param shared whether another process of the same relay may hold the port at the same time, as
   *     during a hand-over
   * @param others receives datagrams that are no link probes
   * @param hops allowed addresses of hops: peers at other addresses are not measured
   * @param known receives the peers, which need no place for unknown peers
   * @param nanoClock such as {@code System::nanoTime}
   * @param wallClock such as {@code InstantSource.system()}
   * @throws IOException if the port is taken
   */
  public static LinkProbes open(
      InetSocketAddress bind,
      boolean shared,
      Others others,
      AddressRule hops,
      KnownPeers known,
      LongSupplier nanoClock,
      InstantSource wallClock,
      RandomGenerator random)
      throws IOException {
    DatagramChannel channel = UdpPorts.open(bind, shared);
    try {
      channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER);
      LinkProbes probes =
          new LinkProbes(channel, others, hops, known, nanoClock, wallClock, random);
      probes.receiving.start();
      probes.sending.start();
      return probes;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  public InetSocketAddress address() {
    return address;
  }

  /**
   * Replaces the peers to measure. Returns at once: another thread resolves the names of the last
   * given peers. A peer whose name does not resolve is left out until the next call.
   *
   * @param leastBetween mean time between two probes to one peer that is no longer new, at least;
   *     zero for the default
   */
  public void peers(List<RelayPeer> peers, Duration leastBetween) {
    lock.lock();
    try {
      given = new Given(List.copyOf(peers), leastBetween);
      if (resolving) {
        return;
      }
      resolving = true;
    } finally {
      lock.unlock();
    }
    Thread.ofVirtual().name("probe-resolve").start(this::resolveGiven);
  }

  /**
   * Sends from the port. May be called from any thread. A datagram that the system does not send
   * counts as lost.
   */
  public void send(ByteBuffer datagram, InetSocketAddress to) {
    reply(datagram, to);
  }

  /** Measurements since the last delivered report. */
  public LinkReport drain() {
    lock.lock();
    try {
      return sender.report(nanoClock.getAsLong(), this::locked);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long malformed() {
    return malformed.get();
  }

  @Override
  public long stray() {
    return stray.get();
  }

  @Override
  public long unsent() {
    return unsent.get();
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.log(Level.FINE, "probes: closing failed: {0}", e.getMessage());
    }
    sending.interrupt();
    try {
      if (!sending.join(CLOSE_WITHIN) || !receiving.join(CLOSE_WITHIN)) {
        LOG.warning("probes: a thread did not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void resolveGiven() {
    for (Given next = nextGiven(); next != null; next = nextGiven()) {
      try {
        resolve(next);
      } catch (RuntimeException | Error e) {
        LOG.log(Level.SEVERE, "probes: peers were not resolved; the next ones will be", e);
      }
    }
  }

  private @Nullable Given nextGiven() {
    lock.lock();
    try {
      Given next = given;
      given = null;
      resolving = next != null;
      return next;
    } finally {
      lock.unlock();
    }
  }

  private void resolve(Given asked) {
    List<StampSender.Peer> resolved = new ArrayList<>();
    Map<String, String> without = new HashMap<>();
    for (RelayPeer peer : asked.peers()) {
      try {
        // The probes' port is the hop port, so the rule for hops applies.
        NamedPeer named = hops.allowed(NamedPeer.resolve(peer.host(), peer.port()));
        InetSocketAddress to = address(peer.name(), named);
        InetAddress host = to.getAddress();
        if (host.isMulticastAddress() || host.isAnyLocalAddress()) {
          throw new UnknownHostException(peer.host()); // unicast only
        }
        resolved.add(new StampSender.Peer(peer.name(), to));
      } catch (AddressRefused e) {
        without.put(peer.name(), String.valueOf(e.getMessage()));
      } catch (UnknownHostException | IllegalArgumentException e) {
        without.put(peer.name(), peer.host() + ":" + peer.port() + " has no address");
      }
    }
    tellChanges(without);
    known.named(resolved.stream().map(peer -> peer.address().getAddress()).toList());
    locked(() -> {
      sender.peers(resolved, nanoClock.getAsLong());
      sender.pace(asked.leastBetween(), nanoClock.getAsLong());
      changed.signal();
    });
  }

  /** Logs changes. Peers arrive with each heartbeat; each is logged once. */
  private void tellChanges(Map<String, String> without) {
    without.forEach((peer, why) -> {
      if (!why.equals(leftOut.get(peer))) {
        LOG.log(Level.WARNING, "probes: peer {0} is left out: {1}", new Object[] {peer, why});
      }
    });
    leftOut = without;
  }

  /** Keeps the address in use while it answers: a measurement of another one would begin anew. */
  private InetSocketAddress address(String peer, NamedPeer named) {
    InetSocketAddress used;
    lock.lock();
    try {
      used = sender.inUse(peer, nanoClock.getAsLong());
    } finally {
      lock.unlock();
    }
    return used != null
            && used.getPort() == named.port()
            && named.addresses().contains(used.getAddress())
        ? used
        : named.quickest(CHOOSING);
  }

  private void locked(Runnable action) {
    lock.lock();
    try {
      action.run();
    } finally {
      lock.unlock();
    }
  }

  private boolean send() throws InterruptedException {
    try {
      StampSender.Departure departure = awaitDeparture();
      transmit(departure.packet(), departure.target(), outgoing);
      return true;
    } catch (ClosedChannelException e) {
      LOG.log(Level.FINE, "probes: sending ends");
      return false;
    }
  }

  private StampSender.Departure awaitDeparture() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (true) {
        long now = nanoClock.getAsLong();
        StampSender.Departure departure = sender.next(now, NtpTimestamp.of(wallClock.instant()));
        if (departure != null) {
          return departure;
        }
        Duration wait = sender.untilNext(now);
        if (wait == null) {
          changed.await();
        } else {
          // After spurious and early wake-ups the loop runs once more.
          var _ = changed.awaitNanos(Math.max(100_000, wait.toNanos()));
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean receive() {
    try {
      incoming.clear();
      InetSocketAddress source = (InetSocketAddress) channel.receive(incoming);
      long now = nanoClock.getAsLong();
      long timestamp = NtpTimestamp.of(wallClock.instant());
      incoming.flip();
      if (!others.take(incoming, source, this::reply)) {
        received(source, incoming, now, timestamp);
      }
      return true;
    } catch (ClosedChannelException e) {
      LOG.log(Level.FINE, "probes: receiving ends");
      return false;
    } catch (IOException e) {
      LOG.log(Level.FINE, "probes: receiving failed: {0}", e.getMessage());
      return true;
    } catch (RuntimeException e) { // caused by one datagram; must not delay the next ones
      malformed.incrementAndGet();
      LOG.log(Level.FINE, "probes: a datagram was not understood", e);
      return true;
    }
  }

  private void received(InetSocketAddress source, ByteBuffer buffer, long now, long timestamp)
      throws ClosedChannelException {
    switch (StampPacket.parse(buffer)) {
      case null -> malformed.incrementAndGet();
      case StampPacket.Test test -> {
        StampPacket.Reflected answer =
            reflector.answer(source, test, timestamp, NtpTimestamp.of(wallClock.instant()), now);
        if (answer != null) {
          transmit(answer, source, answering);
        }
      }
      case StampPacket.Reflected answer -> {
        lock.lock();
        try {
          if (!sender.answered(answer, now)) {
            stray.incrementAndGet();
          }
        } finally {
          lock.unlock();
        }
      }
    }
  }

  private void reply(ByteBuffer datagram, InetSocketAddress to) {
    try {
      channel.send(datagram, to);
    } catch (IOException | IllegalArgumentException e) {
      LOG.log(Level.FINE, "not sent to {0}: {1}", new Object[] {to, e.getMessage()});
    }
  }

  private void transmit(StampPacket packet, InetSocketAddress target, ByteBuffer buffer)
      throws ClosedChannelException {
    packet.writeTo(buffer.clear());
    try {
      channel.send(buffer.flip(), target);
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException | IllegalArgumentException e) {
      // No route, or not permitted: the probe stays unanswered, which is what the sender would see
      // of a lost one.
      unsent.incrementAndGet();
      LOG.log(Level.FINE, "probes: not sent to {0}: {1}", new Object[] {target, e.getMessage()});
    }
  }
}
