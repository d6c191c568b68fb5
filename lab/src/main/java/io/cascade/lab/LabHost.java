package io.cascade.lab;

import io.cascade.command.CommandException;
import io.cascade.kernel.NetworkNamespace;
import io.cascade.lab.LabState.SiteState;
import io.cascade.lab.Topology.LinkSpec;
import io.cascade.lab.Topology.SiteSpec;
import io.cascade.lab.Topology.Step;
import io.cascade.lab.emulator.Carrier;
import io.cascade.lab.emulator.Emulator;
import io.cascade.links.LinkShape;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.FileLock;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The process of a lab: holds its namespaces and carries the packets of its links. When it ends, in
 * any way, the kernel removes both. The last line of its output says that it is ready, or why not.
 */
final class LabHost {
  static final String READY = "lab ready";

  static final int ORCHESTRATOR_PORT = 7400;

  /** Addresses of all sites; relays of a lab may connect to them. */
  static final String ADDRESSES = "10.77.0.0/24";

  private static final String FIRST_OCTETS = "10.77.0.";
  private static final int LARGE_MTU = 9_000;

  private final Topology topology;
  private final LinkKind kind;
  private final Carrier carrier;
  private final Map<String, SiteNetwork> networks = new LinkedHashMap<>();
  private final Map<Ends, Integer> directions = new LinkedHashMap<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private final ScheduledExecutorService script =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().factory());

  private LabHost(Topology topology, LinkKind kind) {
    this.topology = topology;
    this.kind = kind;
    this.carrier =
        switch (kind) {
          case USER_SPACE -> new Emulator(largestMtu(topology));
          case NETEM -> new NetemLinks();
        };
  }

  private static int largestMtu(Topology topology) {
    int largest =
        topology.links().stream()
            .mapToInt(link -> Math.max(link.forward().mtu(), link.backward().mtu()))
            .max()
            .orElse(LinkShape.DEFAULT_MTU);
    return largest > LinkShape.DEFAULT_MTU ? LARGE_MTU : largest;
  }

  public static void main(String[] arguments) {
    LabFolder folder = new LabFolder(Path.of(arguments[0]));
    // A lock without a reference would be released by the next garbage collection.
    try (FileLock _ = folder.hold()) {
      LabHost host =
          new LabHost(TopologyFile.read(folder.topology()), LinkKind.valueOf(arguments[4]));
      host.build();
      Files.writeString(folder.hosts(), host.hosts());
      try (PortForwarder dashboard = host.forwardDashboard();
          LabControl control = LabControl.serve(folder.control(), host)) {
        folder.write(
            host.state(
                arguments[1],
                arguments[2],
                arguments[3].equals("unprivileged"),
                dashboard == null ? null : "http://" + dashboard.address()));
        System.out.println(READY);
        host.end.await();
        control.close();
      }
      System.exit(0);
    } catch (CommandException | IllegalArgumentException | IOException e) {
      System.out.println(e.getMessage());
      System.exit(1);
    } catch (InterruptedException e) {
      System.exit(1);
    }
  }

  private void build() {
    CongestionControls.allow(() -> {
      for (SiteSpec site : topology.sites()) {
        networks.put(site.name(), new SiteNetwork(site, FIRST_OCTETS + (networks.size() + 1)));
      }
    });
    SplittableRandom seeds = new SplittableRandom(topology.seed());
    for (LinkSpec link : topology.links()) {
      int forward =
          switch (carrier) {
            case Emulator emulator -> join(emulator, link, seeds);
            case NetemLinks netem -> join(netem, link);
            default -> throw new IllegalStateException("carrier: " + kind);
          };
      directions.put(new Ends(link.from(), link.to()), forward);
      directions.put(new Ends(link.to(), link.from()), forward + 1);
    }
    networks.forEach((name, network) -> {
      Routes.from(name, topology.links())
          .forEach((to, neighbour) -> network.route(network(to).address(), neighbour));
      network.configure();
    });
    carrier.start();
  }

  private int join(Emulator emulator, LinkSpec link, SplittableRandom seeds) {
    int near = network(link.from()).device(link.to(), link.forward().mtu()).descriptor();
    int far = network(link.to()).device(link.from(), link.backward().mtu()).descriptor();
    int forward = emulator.add(near, far, link.forward(), seeds.nextLong());
    emulator.add(far, near, link.backward(), seeds.nextLong());
    return forward;
  }

  private int join(NetemLinks netem, LinkSpec link) {
    NetworkNamespace middle = NetworkNamespace.make(link.from() + "-" + link.to());
    middle.call(() -> {
      SiteNetwork.withoutIpv6();
      return true;
    });
    SiteNetwork near = network(link.from());
    SiteNetwork far = network(link.to());
    near.ethernet(far, link.to(), link.forward().mtu(), middle, "near");
    far.ethernet(near, link.from(), link.backward().mtu(), middle, "far");
    return netem.add(middle, link.forward(), link.backward());
  }

  /** Forwards a port of the machine's loopback to the orchestrator; null without one. */
  private @Nullable PortForwarder forwardDashboard() throws IOException {
    String site = topology.orchestrator();
    return site == null
        ? null
        : PortForwarder.open(() ->
            network(site)
                .call(() ->
                    SocketChannel.open(
                        new InetSocketAddress(network(site).address(), ORCHESTRATOR_PORT))));
  }

  private SiteNetwork network(String site) {
    SiteNetwork network = networks.get(site);
    if (network == null) {
      throw new IllegalArgumentException(
          "site: %s (expected: one of %s)".formatted(site, topology.siteNames()));
    }
    return network;
  }

  private LabState state(
      String id, String token, boolean unprivileged, @Nullable String dashboard) {
    List<SiteState> sites = new ArrayList<>();
    networks.forEach(
        (name, network) -> sites.add(new SiteState(name, network.address(), network.path())));
    @Nullable String orchestrator = topology.orchestrator();
    return new LabState(
        id,
        ProcessHandle.current().pid(),
        unprivileged,
        carrier.realTime(),
        token,
        orchestrator == null
            ? null
            : "http://%s:%d".formatted(network(orchestrator).address(), ORCHESTRATOR_PORT),
        dashboard,
        sites,
        List.of());
  }

  private String hosts() {
    StringBuilder text = new StringBuilder("127.0.0.1 localhost%n".formatted());
    networks.forEach((name, network) -> text.append(network.address() + " " + name + "\n"));
    return text.toString();
  }

  Carrier carrier() {
    return carrier;
  }

  /** Numbers of the directions in the carrier. */
  Map<Ends, Integer> directions() {
    return directions;
  }

  int direction(String from, String to) {
    Integer direction = directions.get(new Ends(from, to));
    if (direction == null) {
      throw new IllegalArgumentException(
          "no link %s-%s (expected: one of %s)".formatted(from, to, directions.keySet()));
    }
    return direction;
  }

  void reshape(String from, String to, ShapeChange change) {
    int direction = direction(from, to);
    LinkShape before = carrier.shape(direction);
    LinkShape after = change.applyTo(before);
    carrier.reshape(direction, after);
    if (after.mtu() != before.mtu()) {
      network(from).mtu(to, after.mtu());
    }
  }

  /** Starts the clock of the steps. */
  void begin() {
    for (Step step : topology.steps()) {
      script.schedule(
          () -> {
            reshape(step.from(), step.to(), step.change());
            reshape(step.to(), step.from(), step.change());
          },
          step.after().toNanos(),
          TimeUnit.NANOSECONDS);
    }
  }

  void end() {
    end.countDown();
  }

  /** A direction of a link. */
  record Ends(String from, String to) {
    @Override
    public String toString() {
      return from + "-" + to;
    }
  }
}
