package io.cascade.it;

import static org.awaitility.Awaitility.await;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.model.Container;
import com.github.dockerjava.api.model.ContainerNetwork;
import com.github.dockerjava.api.model.Network;
import io.cascade.api.client.ProblemException;
import io.cascade.api.orchestrator.Chain;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.lifecycle.Startables;
import org.testcontainers.utility.DockerImageName;

/**
 * The real images in containers of their own, on networks that stand for what a site reaches:
 *
 * <pre>
 *   this test ── west ── near ══╦══ upper ══╦══ far ── east ── this test
 *                               ╚══ lower ══╝
 *                           atlantic     pacific
 * </pre>
 *
 * Neighbours share one network, others none. The orchestrator stands on all of them, PostgreSQL on
 * one with the orchestrator only. Every container keeps its addresses over a restart.
 */
final class DockerCluster implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Six virtual machines start at once, on two processors as a rule. */
  private static final Duration START = Duration.ofMinutes(3);

  static final List<String> RELAYS = List.of("near", "upper", "lower", "far");
  static final String ORCHESTRATOR = "orchestrator";
  static final String DATABASE = "database";

  /** Carries the process that made a container or network, and will remove it. */
  private static final String LABEL = "io.cascade.tests";

  private static final String HERE = Long.toString(ProcessHandle.current().pid());
  private static final String PREFIX = "cascade-tests-" + HERE + "-";
  private static final String TOKEN = "of-the-tests";

  private final DockerClient docker = DockerClientFactory.instance().client();
  private final Map<String, Site> networks = new LinkedHashMap<>();
  private final Map<String, Machine> machines = new LinkedHashMap<>();

  private DockerCluster() {}

  /** A network and the addresses in it. */
  private record Site(String id, String prefix) {

    String address(int host) {
      return prefix + host;
    }
  }

  /** One container. */
  private static final class Machine extends GenericContainer<Machine> {
    private final String called;
    private final int host;
    private final List<Site> sites;
    private final DockerClient docker;
    private String readyLine = "";
    private int readyLines;

    Machine(DockerClient docker, String image, String called, int host, List<Site> sites) {
      super(DockerImageName.parse(image));
      this.docker = docker;
      this.called = called;
      this.host = host;
      this.sites = sites;
      withCreateContainerCmdModifier(command -> {
        command.withName(PREFIX + called).withHostName(called);
        Objects.requireNonNull(command.getHostConfig()).withNetworkMode(sites.getFirst().id());
        command.withIpv4Address(sites.getFirst().address(host)).withAliases(called);
      });
      withLabel(LABEL, HERE);
    }

    /** Starting it waits until it says so. */
    void startsWith(String line) {
      readyLine = line;
      waitingFor(Wait.forLogMessage(".*" + line + ".*", 1).withStartupTimeout(START));
    }

    /** Call before it is started again: {@link #isReady} then asks for one more line. */
    void willStartAgain() {
      readyLines = countReadyLines() + 1;
    }

    boolean isReady() {
      return countReadyLines() >= readyLines;
    }

    private int countReadyLines() {
      return getLogs().split(Pattern.quote(readyLine), -1).length - 1;
    }

    /** Joins networks before the start, so that what listens finds all of them. */
    @Override
    protected void containerIsCreated(String id) {
      sites.stream().skip(1).forEach(this::connect);
    }

    void connect(Site site) {
      docker
          .connectToNetworkCmd()
          .withContainerId(getContainerId())
          .withNetworkId(site.id())
          .withContainerNetwork(
              new ContainerNetwork()
                  .withAliases(called)
                  .withIpamConfig(new ContainerNetwork.Ipam().withIpv4Address(site.address(host))))
          .exec();
    }

    void disconnect(Site site) {
      docker
          .disconnectFromNetworkCmd()
          .withContainerId(getContainerId())
          .withNetworkId(site.id())
          .withForce(true)
          .exec();
    }
  }

  static DockerCluster start() {
    DockerCluster cluster = new DockerCluster();
    try {
      cluster.clearUp();
      cluster.build();
      return cluster;
    } catch (RuntimeException | AssertionError e) {
      cluster.close();
      throw e;
    }
  }

  private void build() {
    for (String name : List.of("west", "atlantic", "pacific", "east", "state")) {
      networks.put(name, network(name));
    }
    machine(DATABASE, DockerImages.database(), 9, "state")
        .withEnv("POSTGRES_USER", "cascade")
        .withEnv("POSTGRES_PASSWORD", TOKEN)
        .withEnv("POSTGRES_DB", "cascade")
        .startsWith("ready to accept connections");
    machine(
            ORCHESTRATOR,
            DockerImages.ORCHESTRATOR,
            8,
            "state",
            "west",
            "atlantic",
            "pacific",
            "east")
        .withEnv("CASCADE_TOKEN", TOKEN)
        .withEnv("CASCADE_TLS", "off")
        .withEnv("CASCADE_DATABASE", "postgresql://" + DATABASE + "/cascade?sslmode=disable")
        .withEnv("CASCADE_DATABASE_USER", "cascade")
        .withEnv("CASCADE_DATABASE_PASSWORD", TOKEN)
        .startsWith("orchestrator ready at");
    relay("near", 11, "west", "atlantic");
    relay("upper", 12, "atlantic", "pacific");
    relay("lower", 13, "atlantic", "pacific");
    relay("far", 14, "pacific", "east");
    // All at once: whoever is early waits for the others, as after a power cut.
    Startables.deepStart(machines.values()).join();
    await().atMost(PATIENCE).until(() -> controlPlane().hearsOf(RELAYS.size()));
  }

  private void relay(String name, int host, String... at) {
    machine(name, DockerImages.RELAY, host, at)
        .withEnv("CASCADE_TOKEN", TOKEN)
        .withEnv("CASCADE_ORCHESTRATOR", "http://" + ORCHESTRATOR + ":7400")
        .withEnv("CASCADE_NAME", name)
        .withEnv("CASCADE_SITE", name)
        .withEnv("CASCADE_ADVERTISE", name)
        .withEnv("CASCADE_ALLOW_DESTINATION", "10.249.0.0/16")
        .startsWith("cascade relay " + name + " ready");
  }

  private Machine machine(String name, String image, int host, String... at) {
    List<Site> sites = new ArrayList<>();
    for (String network : at) {
      sites.add(site(network));
    }
    Machine machine = new Machine(docker, image, name, host, sites);
    machines.put(name, machine);
    return machine;
  }

  /**
   * Makes a network on the first unused addresses: a container that restarts must find its own
   * again.
   */
  private Site network(String name) {
    RuntimeException last = new IllegalStateException("no addresses are free");
    for (int third = 0; third < 250; third++) {
      String prefix = "10.249." + third + ".";
      try {
        String id =
            docker
                .createNetworkCmd()
                .withName(PREFIX + name)
                .withDriver("bridge")
                .withLabels(Map.of(LABEL, HERE))
                .withIpam(
                    new Network.Ipam()
                        .withConfig(
                            new Network.Ipam.Config()
                                .withSubnet(prefix + "0/24")
                                .withGateway(prefix + "1")))
                .exec()
                .getId();
        return new Site(id, prefix);
      } catch (DockerException e) {
        last = e;
      }
    }
    throw last;
  }

  private Site site(String network) {
    return Objects.requireNonNull(networks.get(network));
  }

  private Machine machine(String name) {
    return Objects.requireNonNull(machines.get(name));
  }

  /** SIGKILL to everything in the container. */
  void kill(String name) {
    docker.killContainerCmd(machine(name).getContainerId()).exec();
  }

  /** The same container again, with its addresses and what it had stored. */
  void startAgain(String name) {
    machine(name).willStartAgain();
    docker.startContainerCmd(machine(name).getContainerId()).exec();
  }

  /** SIGTERM, and patience; then as new. */
  void restart(String name) {
    machine(name).willStartAgain();
    docker.restartContainerCmd(machine(name).getContainerId()).withTimeout(40).exec();
  }

  /** Waits until every container that was started again says that it is ready. */
  void awaitReady() {
    machines.forEach(
        (name, machine) -> await(name + " is ready").atMost(START).until(machine::isReady));
  }

  /** Stops every process in it where it stands. */
  void pause(String name) {
    docker.pauseContainerCmd(machine(name).getContainerId()).exec();
  }

  void resume(String name) {
    docker.unpauseContainerCmd(machine(name).getContainerId()).exec();
  }

  /** Takes a container off a network, in the middle of whatever it says there. */
  void cut(String name, String network) {
    machine(name).disconnect(site(network));
  }

  void heal(String name, String network) {
    machine(name).connect(site(network));
  }

  ControlPlane controlPlane() {
    return new ControlPlane(URI.create("http://" + site("west").address(8) + ":7400"), TOKEN);
  }

  /**
   * Opens a chain to a port of this test through these relays. One that was cut off a moment ago
   * goes on for ten seconds, as every Java process does, to believe that a name is not known.
   *
   * @param options by the names that the contract has for them
   */
  Chain open(int port, List<String> via, Map<String, ?> options) {
    String destination = site("east").address(1) + ":" + port;
    return await()
        .atMost(PATIENCE)
        .ignoreExceptionsMatching(DockerCluster::isUnknownName)
        .until(() -> controlPlane().open(destination, via, options), Objects::nonNull);
  }

  private static boolean isUnknownName(Throwable failure) {
    return failure instanceof ProblemException
        && String.valueOf(failure.getMessage()).contains("has no address as seen from this relay");
  }

  /** The address at which this test reaches the ingress. */
  InetSocketAddress ingress(Chain chain) {
    return new InetSocketAddress(
        site("west").address(11), Objects.requireNonNull(chain.ingress()).port());
  }

  /** Whether all relays are heard of, and every one of these chains is whole. */
  boolean isAsWanted(List<UUID> chains) {
    return controlPlane().isAsWanted(RELAYS.size(), chains);
  }

  /** What this run made, or an earlier one that was killed; another may be under way. */
  private void clearUp() {
    for (Container container :
        docker.listContainersCmd().withShowAll(true).withLabelFilter(List.of(LABEL)).exec()) {
      if (isOver(container.getLabels())) {
        docker.removeContainerCmd(container.getId()).withForce(true).withRemoveVolumes(true).exec();
      }
    }
    for (Network network : docker.listNetworksCmd().withFilter("label", List.of(LABEL)).exec()) {
      if (isOver(network.getLabels())) {
        docker.removeNetworkCmd(network.getId()).exec();
      }
    }
  }

  private static boolean isOver(Map<String, String> labels) {
    String madeBy = labels.getOrDefault(LABEL, "");
    return madeBy.equals(HERE)
        || !madeBy.matches("\\d+")
        || ProcessHandle.of(Long.parseLong(madeBy)).isEmpty();
  }

  @Override
  public void close() {
    clearUp();
  }
}
