package io.cascade.relay;

import io.cascade.api.client.RelayControlClient;
import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.Egress;
import io.cascade.api.relay.HopInlet;
import io.cascade.api.relay.HopOutlet;
import io.cascade.api.relay.Ingress;
import io.cascade.api.relay.InstalledPart;
import io.cascade.api.relay.PartInlet;
import io.cascade.api.relay.PartOutlet;
import io.cascade.api.relay.StreamOptions;
import io.cascade.carriage.transport.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Real relays in this process and a chain over them whose middle is a segment of several pipes,
 * installed in parallel as an orchestrator would.
 */
public final class SegmentedChain implements AutoCloseable {
  private final Map<String, RelayNode> relays = new LinkedHashMap<>();
  private final Map<HopAddress, String> keys = new LinkedHashMap<>();
  private final UUID id = UUID.randomUUID();
  private final List<List<String>> pipes;
  private final Set<Integer> withdrawn = new HashSet<>();
  private final StreamOptions options;
  private final InetSocketAddress destination;
  private final boolean proxied;
  private final boolean encrypted;
  private long revision;
  private @Nullable InstalledPart ingress;

  private SegmentedChain(
      List<List<String>> pipes,
      StreamOptions options,
      InetSocketAddress destination,
      boolean proxied,
      boolean encrypted) {
    this.pipes = new ArrayList<>(pipes);
    this.options = options;
    this.destination = destination;
    this.proxied = proxied;
    this.encrypted = encrypted;
  }

  /**
   * Opens a chain.
   *
   * @param pipes the relays of each, by commas, with the same first and the same last one
   */
  public static SegmentedChain open(
      Transport transport, InetSocketAddress destination, StreamOptions options, String... pipes)
      throws Exception {
    SegmentedChain chain = new SegmentedChain(routes(pipes), options, destination, false, false);
    for (List<String> pipe : chain.pipes) {
      for (String relay : pipe) {
        chain.relays.putIfAbsent(relay, TestRelay.on(transport).start(relay));
      }
    }
    chain.install();
    return chain;
  }

  /** Opens a chain over relays that are there, which are closed with it. */
  public static SegmentedChain over(
      Map<String, RelayNode> relays,
      InetSocketAddress destination,
      boolean proxied,
      boolean encrypted,
      String... pipes)
      throws Exception {
    SegmentedChain chain =
        new SegmentedChain(routes(pipes), TestChain.defaults(), destination, proxied, encrypted);
    chain.relays.putAll(relays);
    chain.install();
    return chain;
  }

  private static List<List<String>> routes(String... pipes) {
    return Stream.of(pipes).map(pipe -> List.of(pipe.split(","))).toList();
  }

  /** Puts the parts on all relays that live, with fresh keys for those hops that are touched. */
  public void install(String... lost) throws Exception {
    revision++;
    for (String relay : lost) {
      keys.keySet().removeIf(hop -> at(hop).contains(relay));
    }
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Map<String, Future<InstalledPart>> parts = new LinkedHashMap<>();
      Map<String, ChainPart> wanted = new LinkedHashMap<>();
      relays.keySet().stream()
          .filter(name -> pipes.stream().anyMatch(each -> each.contains(name)))
          .forEach(name -> wanted.put(name, part(name)));
      wanted.forEach((name, part) ->
          parts.put(
              name, threads.submit(() -> control(name).install(id, part, TestChain.PATIENCE))));
      for (Future<InstalledPart> part : parts.values()) {
        part.get();
      }
      ingress = Objects.requireNonNull(parts.get(first())).get();
    }
  }

  /** Has streams do without a pipe. */
  void withdraw(int pipe) throws Exception {
    withdrawn.add(pipe);
    install();
  }

  /** Leads a pipe through other relays, with fresh keys; new relays are started. */
  void lead(Transport transport, int pipe, String route) throws Exception {
    keys.keySet().removeIf(hop -> hop.pipe() == pipe);
    pipes.set(pipe, List.of(route.split(",")));
    for (String relay : pipes.get(pipe)) {
      if (!relays.containsKey(relay)) {
        relays.put(relay, TestRelay.on(transport).start(relay));
      }
    }
    List<String> unused =
        relays.keySet().stream()
            .filter(relay -> pipes.stream().noneMatch(each -> each.contains(relay)))
            .toList();
    install();
    unused.forEach(relay -> control(relay).remove(id, false, TestChain.PATIENCE));
  }

  private String first() {
    return pipes.getFirst().getFirst();
  }

  private String last() {
    return pipes.getFirst().getLast();
  }

  /** Both relays of a hop of the segment. */
  private List<String> at(HopAddress hop) {
    return pipes.get(hop.pipe()).subList(hop.hop(), hop.hop() + 2);
  }

  private ChainPart part(String relay) {
    List<PartInlet> inlets = new ArrayList<>();
    List<PartOutlet> outlets = new ArrayList<>();
    if (relay.equals(first())) {
      inlets.add(
          PartInlet.builder()
              .hop(new HopAddress(0, 0, 0))
              .ingress(Ingress.builder().port(0).proxied(proxied).build())
              .build());
    }
    for (int pipe = 0; pipe < pipes.size(); pipe++) {
      List<String> route = pipes.get(pipe);
      int at = route.indexOf(relay);
      if (at > 0) {
        HopAddress hop = new HopAddress(1, pipe, at - 1);
        inlets.add(
            PartInlet.builder()
                .hop(hop)
                .relay(new HopInlet(key(hop), certificate(route.get(at - 1))))
                .build());
      }
      if (at >= 0 && at + 1 < route.size()) {
        HopAddress hop = new HopAddress(1, pipe, at);
        String next = route.get(at + 1);
        outlets.add(
            PartOutlet.builder()
                .hop(hop)
                .relay(
                    HopOutlet.builder()
                        .host("127.0.0.1")
                        .port(relay(next).hopAddress().getPort())
                        .key(key(hop))
                        .certificateSha256(certificate(next))
                        .build())
                .withdrawn(withdrawn.contains(pipe) && at == 0)
                .build());
      }
    }
    if (relay.equals(last())) {
      outlets.add(
          PartOutlet.builder()
              .hop(new HopAddress(2, 0, 0))
              .egress(
                  Egress.builder()
                      .host(destination.getHostString())
                      .port(destination.getPort())
                      .proxyProtocol(false)
                      .build())
              .build());
    }
    return ChainPart.builder()
        .inlets(inlets)
        .outlets(outlets)
        .leaseSeconds(86_400)
        .options(options)
        .revision(revision)
        .build();
  }

  private @Nullable String certificate(String relay) {
    return encrypted ? control(relay).health(TestChain.PATIENCE).certificateSha256() : null;
  }

  private String key(HopAddress hop) {
    return keys.computeIfAbsent(hop, _ -> TestChain.newKey());
  }

  RelayNode relay(String name) {
    return Objects.requireNonNull(relays.get(name));
  }

  public RelayControlClient control(String name) {
    return TestChain.control(relay(name));
  }

  public UUID id() {
    return id;
  }

  /** Ends a relay, which resets all that goes through it. */
  void kill(String name) {
    relay(name).close();
  }

  /** Resets all that goes through a relay, which takes its part again at once. */
  public void cut(String name) {
    control(name).remove(id, true, TestChain.PATIENCE);
    control(name).install(id, part(name), TestChain.PATIENCE);
  }

  /** Names of its relays. */
  public Set<String> names() {
    return relays.keySet();
  }

  /** Starts a relay again, under another port, and gives it and its neighbours their parts. */
  void restart(Transport transport, String name) throws Exception {
    relays.put(name, TestRelay.on(transport).start(name));
    install(name);
  }

  public InetSocketAddress ingressAddress() {
    return new InetSocketAddress(
        "127.0.0.1", Objects.requireNonNull(Objects.requireNonNull(ingress).ingressPort()));
  }

  Socket connect() throws IOException {
    Socket socket = new Socket();
    socket.connect(ingressAddress(), (int) TestChain.PATIENCE.toMillis());
    socket.setSoTimeout((int) TestChain.PATIENCE.toMillis());
    return socket;
  }

  @Override
  public void close() {
    relays.values().forEach(RelayNode::close);
  }
}
