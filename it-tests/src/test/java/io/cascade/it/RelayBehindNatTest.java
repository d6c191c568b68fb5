package io.cascade.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.kernel.NetworkNamespace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A relay behind a NAT that lets nothing in: it is called over the connection that it opens, and
 * serves as the first of a chain. Needs root, ip, nsenter and nft.
 *
 * <pre>
 * home: application, relay near ─ 10.1.0.0/24 ─ nat ─ 198.51.100.0/24 ─ net: orchestrator, relay far
 * </pre>
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class RelayBehindNatTest {
  private static final String NET = "198.51.100.1";
  private static final String NAT = "198.51.100.2";
  private static final String HOME = "10.1.0.2";
  private static final String TOKEN = "of-this-test";
  private static final int HOP_PORT = 7_411;
  private static final int MOST_MILLIS = 60_000;

  @TempDir private Path folder;
  private final List<Verb> processes = new ArrayList<>();
  private final List<NetworkNamespace> networks = new ArrayList<>();

  @SuppressWarnings("NullAway.Init")
  private NetworkNamespace home;

  @SuppressWarnings("NullAway.Init")
  private NetworkNamespace net;

  @SuppressWarnings("NullAway.Init")
  private String orchestrator;

  @BeforeEach
  void start() throws Exception {
    assumeTrue(
        Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0)
            && Files.isExecutable(Path.of("/usr/sbin/nft"))
            && Files.isExecutable(Path.of("/usr/sbin/ip"))
            && Files.isExecutable(Path.of("/usr/bin/nsenter")),
        "SKIPPED: needs root, ip, nsenter and nft");
    connect();
    orchestrator =
        verb(
                net,
                "orchestrator",
                "--listen",
                NET + ":7400",
                "--token",
                TOKEN,
                "--state-dir",
                at("state"))
            .awaitLine("cascade orchestrator ready at (\\S+)")
            .group(1);
    relay(net, "far", NET, "--allow-destination", NET + "/32");
    relay(home, "near", HOME);
  }

  private void connect() throws Exception {
    home = network("home");
    net = network("net");
    NetworkNamespace nat = network("nat");
    run(nat, "", "ip link add lan type veth peer name lan netns " + home.threadId());
    run(nat, "", "ip link add wan type veth peer name wan netns " + net.threadId());
    address(nat, "10.1.0.1/24", "lan");
    address(nat, NAT + "/24", "wan");
    address(home, HOME + "/24", "lan");
    address(net, NET + "/24", "wan");
    run(home, "", "ip route add default via 10.1.0.1");
    run(nat, "", "sysctl -qw net.ipv4.ip_forward=1");
    run(
        nat,
        """
        table ip nat {
          chain post {
            type nat hook postrouting priority 100
            oifname wan masquerade
          }
        }
        table ip guard {
          chain input {
            type filter hook input priority 0
            iifname wan ct state != { established, related } reject
          }
          chain forward {
            type filter hook forward priority 0
            iifname wan ct state != { established, related } reject
          }
        }
        """,
        "nft -f -");
  }

  private NetworkNamespace network(String name) throws Exception {
    NetworkNamespace made = NetworkNamespace.make(name);
    networks.add(made);
    run(made, "", "ip link set lo up");
    return made;
  }

  private static void address(NetworkNamespace network, String address, String device) {
    run(network, "", "ip address add " + address + " dev " + device);
    run(network, "", "ip link set " + device + " up");
  }

  @AfterEach
  void stop() {
    for (int i = processes.size() - 1; i >= 0; i--) {
      processes.get(i).close();
    }
    networks.forEach(NetworkNamespace::close);
  }

  @Test
  void itServesAsTheFirstOfAChainAndOnlyThere() throws Exception {
    assertThatThrownBy(() -> dial(net, NAT, HOP_PORT))
        .as("the NAT lets nothing in")
        .isInstanceOf(IllegalStateException.class)
        .hasRootCauseInstanceOf(IOException.class);
    try (ServerSocket destination =
        net.call(() -> new ServerSocket(0, 10, InetAddress.getByName(NET)))) {
      Verb open = open(destination, "near,far");
      assertThat(open.await()).as(open.text()).isZero();
      int ingress = Integer.parseInt(open.awaitLine("^10\\.1\\.0\\.2:(\\d+)$").group(1));

      try (Socket client = dial(home, HOME, ingress)) {
        client.getOutputStream().write(7);
        try (Socket server = destination.accept()) {
          assertThat(server.getInetAddress().getHostAddress()).as("the last relay").isEqualTo(NET);
          assertThat(server.getInputStream().read()).isEqualTo(7);
          server.getOutputStream().write(8);
          client.setSoTimeout(MOST_MILLIS);
          assertThat(client.getInputStream().read()).isEqualTo(8);
        }
      }

      Verb behind = open(destination, "far,near");
      assertThat(behind.await()).isNotZero();
      assertThat(behind.text()).contains("far: the next relay does not accept the chain");
    }
  }

  private Verb open(ServerSocket destination, String via) {
    return verb(
        home,
        "open",
        "--to",
        NET + ":" + destination.getLocalPort(),
        "--via",
        via,
        "--orchestrator",
        orchestrator,
        "--token",
        TOKEN);
  }

  private static Socket dial(NetworkNamespace from, String host, int port) {
    return from.call(() -> {
      Socket socket = new Socket();
      try {
        socket.connect(new InetSocketAddress(host, port), MOST_MILLIS);
      } catch (IOException e) {
        socket.close();
        throw e;
      }
      return socket;
    });
  }

  private void relay(NetworkNamespace network, String name, String listen, String... more)
      throws Exception {
    List<String> arguments =
        new ArrayList<>(
            List.of("relay", "--name", name, "--site", name, "--listen", listen, "--drain", "0"));
    arguments.addAll(List.of("--orchestrator", orchestrator, "--token", TOKEN));
    arguments.addAll(List.of(more));
    Verb relay = verb(network, arguments.toArray(String[]::new));
    relay.awaitLine("cascade relay " + name + " ready");
    relay.awaitLine("registered with");
  }

  private Verb verb(NetworkNamespace network, String... arguments) {
    Verb started = Verb.start(folder, List.of("nsenter", "--net=" + network.path()), arguments);
    processes.add(started);
    return started;
  }

  private String at(String name) {
    return folder.resolve(name).toString();
  }

  private static void run(NetworkNamespace network, String input, String command) {
    network.call(() -> {
      Process process = new ProcessBuilder(command.split(" ")).redirectErrorStream(true).start();
      try (var to = process.getOutputStream()) {
        to.write(input.getBytes(UTF_8));
      }
      String told = new String(process.getInputStream().readAllBytes(), UTF_8);
      assertThat(process.waitFor()).as("%s: %s", command, told).isZero();
      return told;
    });
  }
}
