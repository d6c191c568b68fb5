package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.Endpoint;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What was put on relays.
 *
 * @param relays from ingress to egress
 * @param keys of the hops between them: key i is relay i's and its successor's
 * @param tls whether the hops between them are encrypted; null in what was stored before they could
 *     be
 * @param askedPort the ingress port that was last asked for. A relay keeps its listener only while
 *     it is asked for the same again, 0 included.
 * @param ingress where applications connect, once it is known
 * @param proxied whether there is no such place, since streams come from the first relay's SOCKS5
 *     and CONNECT clients; null in what was stored before they could
 * @param revision counts the chain's installations, so that relays know what is older; null in what
 *     was stored before they could
 */
record Installation(
    List<String> relays,
    List<String> keys,
    @Nullable Boolean tls,
    int askedPort,
    @Nullable Endpoint ingress,
    @Nullable Boolean proxied,
    @Nullable Long revision) {

  Installation {
    relays = List.copyOf(relays);
    keys = List.copyOf(keys);
    if (keys.size() != relays.size() - 1) {
      throw new IllegalArgumentException(
          "keys: " + keys.size() + " (expected: one fewer than " + relays.size() + " relays)");
    }
  }

  static Installation on(
      long revision,
      List<String> relays,
      boolean tls,
      int askedPort,
      boolean proxied,
      HopKeys fresh) {
    List<String> keys = new ArrayList<>();
    for (int i = 1; i < relays.size(); i++) {
      keys.add(fresh.next());
    }
    return new Installation(relays, keys, tls, askedPort, null, proxied, revision);
  }

  /** Which of its chain's installations it is: a later one has a higher number. */
  long number() {
    return revision == null ? 0 : revision;
  }

  /** Whether the hops between the relays are encrypted. */
  boolean encrypted() {
    return Boolean.TRUE.equals(tls);
  }

  /** Whether its streams are those of the first relay's SOCKS5 and CONNECT clients. */
  boolean forProxy() {
    return Boolean.TRUE.equals(proxied);
  }

  Installation reachedAt(Endpoint address) {
    return new Installation(relays, keys, tls, askedPort, address, proxied, revision);
  }

  /**
   * Renews an installation for relays that lost their parts: every hop that one of them has an end
   * of gets another key. A relay that forgot which headers it has seen would take a replayed one;
   * under a fresh key none can be replayed. A lost ingress opens the port again that applications
   * know.
   */
  Installation again(Collection<String> lost, HopKeys fresh) {
    List<String> renewed = new ArrayList<>(keys);
    for (int i = 0; i < keys.size(); i++) {
      if (lost.contains(relays.get(i)) || lost.contains(relays.get(i + 1))) {
        renewed.set(i, fresh.next());
      }
    }
    int port = ingress != null && lost.contains(relays.getFirst()) ? ingress.port() : askedPort;
    return new Installation(relays, renewed, tls, port, ingress, proxied, number() + 1);
  }

  /**
   * Leads the chain through other relays, from the same ingress and its port, which applications
   * know.
   */
  Installation around(List<String> others, boolean encrypted, HopKeys fresh) {
    int port = ingress == null ? askedPort : ingress.port();
    Installation other = on(number() + 1, others, encrypted, port, forProxy(), fresh);
    return ingress == null ? other : other.reachedAt(ingress);
  }

  /** The relays that lost their parts and their neighbours, whose keys change with them. */
  SortedSet<Integer> touchedBy(Collection<String> lost) {
    TreeSet<Integer> touched = new TreeSet<>();
    for (int i = 0; i < relays.size(); i++) {
      if (lost.contains(relays.get(i))) {
        touched.add(i);
        if (i > 0) {
          touched.add(i - 1);
        }
        if (i + 1 < relays.size()) {
          touched.add(i + 1);
        }
      }
    }
    return touched;
  }

  /** The installation without the keys. */
  @Override
  public String toString() {
    return "Installation[" + String.join(", ", relays) + ", ingress=" + ingress + "]";
  }
}
