package io.cascade.orchestrator.relays;

import io.cascade.api.orchestrator.RelayPeer;
import io.cascade.command.Digests;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which relays measure the links to each other: all of them if they are few. Otherwise each
 * measures those to {@value #MEAN_PEERS} others on average, since a thousand relays have a million
 * links.
 *
 * <p>Pairs are chosen by a hash of their names. So both ends measure, the choice is the same at
 * every orchestrator and after every start, and a relay that joins or leaves changes few pairs. Of
 * a thousand relays nine pairs in ten are joined by two measured links, and all by three.
 * Thread-safe.
 */
final class PeerMesh {
  static final int MEAN_PEERS = 48;

  private final List<RelayPeer> members;

  /**
   * Peers by relay, cached because each relay asks with every heartbeat and the choice iterates
   * over all members.
   */
  private final Map<String, Peers> chosen = new ConcurrentHashMap<>();

  /**
   * @param members relays whose links are worth measuring
   */
  PeerMesh(List<RelayPeer> members) {
    this.members = List.copyOf(members);
  }

  List<RelayPeer> members() {
    return members;
  }

  /**
   * Peers of one relay.
   *
   * @param version a digest of them
   */
  record Peers(String version, List<RelayPeer> relays) {}

  /** The peers that this relay measures. */
  Peers of(String relay) {
    return chosen.computeIfAbsent(relay, this::choose);
  }

  private Peers choose(String relay) {
    long others = members.stream().filter(member -> !member.name().equals(relay)).count();
    double share = (double) MEAN_PEERS / Math.max(1, others);
    long hash = hash(relay);
    List<RelayPeer> peers =
        members.stream()
            .filter(member -> !member.name().equals(relay))
            .filter(member -> share >= 1 || fraction(mix(hash ^ hash(member.name()))) < share)
            .toList();
    return new Peers(version(peers), peers);
  }

  private static String version(List<RelayPeer> peers) {
    StringBuilder text = new StringBuilder();
    for (RelayPeer peer : peers) {
      text.append(peer.name()).append(' ').append(peer.host()).append(' ').append(peer.port());
      text.append('\n');
    }
    return Digests.sha256(text.toString()).substring(0, 32);
  }

  /** FNV-1a with a mixing step, so that names which differ in one digit have distant hashes. */
  private static long hash(String name) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < name.length(); i++) {
      hash = (hash ^ name.charAt(i)) * 0x100000001b3L;
    }
    return mix(hash);
  }

  /** The finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). */
  private static long mix(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }

  private static double fraction(long hash) {
    return (hash >>> 11) * 0x1p-53;
  }
}
