package io.cascade.carriage.coded;

import io.cascade.carriage.transport.UdpSocket;
import io.cascade.coding.crypto.Accepting;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Sessions that peers opened, by the identifiers that name them. A dialler may have opened several,
 * over different carriers or with shorter datagrams; once it uses one of them, its others are
 * dropped. Thread-safe.
 */
final class AcceptedSessions implements Accepting.KnownSessions {
  private static final Logger LOG = Logger.getLogger(AcceptedSessions.class.getName());

  private final CodedSettings settings;
  private final CodedService.Names services;
  private final Handshakes handshakes;
  private final Map<Integer, CodedLink> links = new ConcurrentHashMap<>();
  private final Map<CodedLink, Peer> peers = new ConcurrentHashMap<>();

  /** Answerer of handshakes. Callable from any thread. */
  interface Handshakes {
    /** A session is no longer half open. */
    void settled(int id);

    /** The session does not exist. */
    void forget(int id);

    /** A datagram of a handshake has arrived at a session's socket. */
    void again(ByteBuffer datagram, Peer from);
  }

  /**
   * Dialler of a session.
   *
   * @param at the hop port
   * @param diallersKey key of its handshakes; it may have other handshakes running
   */
  @SuppressWarnings("ArrayRecordComponent") // used in this package only, and never changed
  record Peer(
      InetSocketAddress from,
      InetSocketAddress at,
      byte[] name,
      CodedService service,
      byte[] diallersKey,
      CodedAcceptor.Replies replies) {
    boolean isOf(byte[] otherDiallersKey) {
      return Arrays.equals(diallersKey, otherDiallersKey);
    }
  }

  /** A socket for a session that holds a place. */
  record Place(Peer peer, UdpSocket socket) {}

  AcceptedSessions(CodedService.Names services, CodedSettings settings, Handshakes handshakes) {
    this.services = services;
    this.settings = settings;
    this.handshakes = handshakes;
  }

  /** Returns the session with an identifier, which is not authenticated; null if there is none. */
  @Nullable CodedLink get(int id) {
    return links.get(id);
  }

  Set<Integer> ids() {
    return links.keySet();
  }

  int count() {
    return links.size();
  }

  @Override
  public boolean isTaken(byte[] diallersKey) {
    return peers.entrySet().stream()
        .anyMatch(one -> one.getKey().hasHeard() && one.getValue().isOf(diallersKey));
  }

  @Override
  public boolean isAnothers(byte[] address, byte[] diallersKey) {
    return peers.entrySet().stream()
        .anyMatch(one ->
            !one.getValue().isOf(diallersKey)
                && Arrays.equals(CodedAcceptor.bytes(one.getKey().remote()), address));
  }

  /**
   * Abandons previous sessions with an address. A dialler that begins a new session from an
   * address, and has proved that it receives there, has given up its previous one. Two sockets
   * connected to one address would take each other's datagrams.
   */
  void abandonAt(InetSocketAddress from) {
    links.values().stream()
        .filter(link -> link.remote().equals(from))
        .forEach(CodedLink::abandonSoon);
  }

  /** Makes a place for a session; null if there is none, and then the session is forgotten. */
  @Nullable Place place(
      Accepting.HelloOutcome.Opened opened,
      InetSocketAddress from,
      InetSocketAddress at,
      CodedAcceptor.Replies replies) {
    int id = opened.agreement().localConnectionId();
    CodedService service = services.of(opened.name());
    if (service == null
        || isTaken(opened.diallersKey())
        || links.containsKey(id)
        || !(service.isGuest() ? settings.places().takeAsGuest() : settings.places().take())) {
      handshakes.forget(id); // The dialler gets no answer and falls back to TCP.
      return null;
    }
    try {
      Peer peer = new Peer(from, at, opened.name(), service, opened.diallersKey(), replies);
      // If the handshake came over TCP, its address is used until the dialler's UDP address is
      // known.
      return new Place(peer, UdpSocket.bindShared(at, from));
    } catch (IOException e) {
      settings.places().free();
      LOG.log(Level.WARNING, "no socket for a coded session: {0}", e.getMessage());
      handshakes.forget(id);
      return null;
    }
  }

  /** Starts a session, on its event loop. */
  CodedLink start(EventLoop loop, Place place, Accepting.HelloOutcome.Opened opened) {
    int id = opened.agreement().localConnectionId();
    Peer peer = place.peer();
    CodedLink.Listener listener =
        new CodedLink.Listener() {
          @Override
          public void heard(CodedLink link) {
            handshakes.settled(id);
            abandonOthers(link, peer);
          }

          @Override
          public void handshake(CodedLink link, ByteBuffer datagram) {
            handshakes.again(datagram, peer);
          }

          @Override
          public void closed(CodedLink link, String why) {
            links.remove(id);
            peers.remove(link);
            settings.places().free();
            handshakes.settled(id);
          }
        };
    CodedLink link =
        new CodedLink(
            loop,
            place.socket(),
            peer.from(),
            opened.agreement(),
            false,
            settings.streams(),
            settings.paths(),
            peer.service().handlers(),
            of -> new AcceptorsCarriers(of, settings.times()),
            listener);
    links.put(id, link);
    peers.put(link, peer);
    link.start();
    loop.schedule(
        () -> {
          if (!link.hasHeard()) {
            link.abandon();
          }
        },
        Accepting.KEPT_NANOS,
        TimeUnit.NANOSECONDS);
    return link;
  }

  private void abandonOthers(CodedLink taken, Peer peer) {
    peers.forEach((link, of) -> {
      if (!link.equals(taken) && !link.hasHeard() && of.isOf(peer.diallersKey())) {
        link.abandonSoon();
      }
    });
  }

  /** Ends all sessions without notifying their peers. */
  void forget() {
    links.values().forEach(CodedLink::abandonSoon);
  }

  /** Ends all sessions with resets. */
  void abort() {
    links.values().forEach(CodedLink::abortSoon);
  }

  /** Sessions whose key was withdrawn accept no more streams, and end with their running ones. */
  void hopsChanged(Accepting.Keys current) {
    peers.forEach((link, peer) -> {
      byte[] key = current.key(peer.name());
      if (key == null || !MessageDigest.isEqual(key, peer.service().key())) {
        link.leaveSoon();
      }
    });
  }
}
