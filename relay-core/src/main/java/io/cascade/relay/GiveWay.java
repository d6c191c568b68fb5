package io.cascade.relay;

import io.cascade.api.Json;
import io.cascade.kernel.ServiceNotice;
import io.cascade.relay.chain.ChainTable;
import io.cascade.relay.handover.HandoverSocket;
import io.cascade.relay.handover.HandoverState;
import io.cascade.relay.proxy.ProxyServer;
import io.cascade.relay.rendezvous.RendezvousServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Gives way to another process of the same relay that replaces this one, see {@link TakeOver}.
 * Every step can be undone until that process serves.
 */
final class GiveWay {
  private static final Logger LOG = Logger.getLogger(GiveWay.class.getName());

  /** Time for the headers of connections that were accepted just before. */
  private static final Duration HEADER_PATIENCE = Duration.ofSeconds(1);

  private static final long LOOK_MILLIS = 20;

  private final RelayParts parts;
  private final Node node;
  private final AtomicBoolean underway = new AtomicBoolean();

  /** The relay that gives way. */
  interface Node {
    /** Whether it is already stopping. */
    boolean isClosing();

    /** Ports of the relay's proxies; null if it has none. */
    @Nullable ProxyServer proxies();

    /** The port of the rendezvous; null if it has none. */
    @Nullable RendezvousServer rendezvous();

    /** Stops listening and answering. Streams continue. */
    void leave();

    /** Returns when the last stream has ended. */
    void finishStreams();
  }

  GiveWay(RelayParts parts, Node node) {
    this.parts = parts;
    this.node = node;
  }

  /** Serves a successor. Blocks, on a thread of its own. */
  void to(HandoverSocket successor) {
    boolean replaced = false;
    try (successor) {
      String own = parts.settings().name();
      String name = successor.read(TakeOver.PATIENCE);
      if (!name.equals(own) || node.isClosing() || !underway.compareAndSet(false, true)) {
        successor.send(
            name.equals(own)
                ? "the relay is stopping or being replaced already"
                : "the relay there is called " + own);
        return;
      }
      try {
        handOver(successor);
        replaced = true;
        tellServiceManager(successor);
        successor.send(TakeOver.LEFT);
      } finally {
        underway.set(replaced);
      }
    } catch (IOException e) {
      LOG.log(
          Level.WARNING,
          replaced
              ? "the successor was not told that this process has left: {0}"
              : "the hand-over failed, and this process continues: {0}",
          e.getMessage());
    }
    if (replaced) {
      node.finishStreams();
    }
  }

  /**
   * Called while this process still runs: if it ended without notice, the service manager would
   * take the service for ended.
   */
  private static void tellServiceManager(HandoverSocket successor) {
    try {
      ServiceNotice.sendIfThereIsOne(ServiceNotice.mainProcess(successor.peer()));
    } catch (IOException e) {
      LOG.log(Level.WARNING, "the service manager was not notified: {0}", e.getMessage());
    }
  }

  /**
   * Returns once the successor serves in place of this process; if it fails, this process goes on
   * serving.
   */
  private void handOver(HandoverSocket successor) throws IOException {
    boolean serving = false;
    ProxyServer proxies = node.proxies();
    RendezvousServer rendezvous = node.rendezvous();
    pause(proxies);
    try {
      awaitHeaders(proxies);
      ChainTable.Snapshots snapshots = parts.chains().snapshots();
      HandoverState state =
          new HandoverState(
              parts.settings().name(),
              parts.identity().instance(),
              parts.tls().exported(),
              snapshots.chains(),
              clientPorts(proxies, rendezvous),
              parts.identity().snapshot(),
              parts.limits().snapshot(),
              parts.chains().epochs().greatest());
      List<Integer> descriptors = new ArrayList<>();
      descriptors.add(parts.hopPort().descriptor());
      descriptors.addAll(snapshots.descriptors());
      if (proxies != null) {
        descriptors.addAll(proxies.descriptors());
      }
      Integer meeting = rendezvous == null ? null : rendezvous.descriptor();
      if (meeting != null) {
        descriptors.add(meeting);
      }
      successor.send(Json.strict().writeValueAsString(state));
      successor.sendSockets(descriptors, TakeOver.PATIENCE);
      serving = successor.read(TakeOver.PATIENCE).equals(TakeOver.SERVING);
      if (!serving) {
        throw new IOException("the other process did not confirm that it serves");
      }
    } finally {
      if (!serving) {
        resume(proxies);
      }
    }
    node.leave();
  }

  /** Protocols of the ports of clients, in the order of their sockets. */
  private static List<String> clientPorts(
      @Nullable ProxyServer proxies, @Nullable RendezvousServer rendezvous) {
    List<String> protocols = new ArrayList<>(proxies == null ? List.of() : proxies.protocols());
    if (rendezvous != null && rendezvous.descriptor() != null) {
      protocols.add(RendezvousServer.PROTOCOL);
    }
    return protocols;
  }

  private void pause(@Nullable ProxyServer proxies) {
    parts.chains().pause();
    parts.hopPort().accept(false);
    if (proxies != null) {
      proxies.accept(false);
    }
    acceptMeetings(false);
    parts.hops().pause();
  }

  private void resume(@Nullable ProxyServer proxies) {
    parts.hops().resume();
    parts.hopPort().accept(true);
    if (proxies != null) {
      proxies.accept(true);
    }
    acceptMeetings(true);
    parts.chains().resume();
  }

  private void acceptMeetings(boolean on) {
    RendezvousServer rendezvous = node.rendezvous();
    if (rendezvous != null) {
      rendezvous.accept(on);
    }
  }

  /** Waits for the headers of accepted connections. */
  private void awaitHeaders(@Nullable ProxyServer proxies) {
    long deadline = System.nanoTime() + HEADER_PATIENCE.toNanos();
    RendezvousServer rendezvous = node.rendezvous();
    while (parts.hops().owingHeaders()
                + (proxies == null ? 0 : proxies.pending())
                + (rendezvous == null ? 0 : rendezvous.pending())
            > 0
        && System.nanoTime() < deadline) {
      try {
        Thread.sleep(LOOK_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
