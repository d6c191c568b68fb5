package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.testing.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of README, start and tasks in order, as they stand there, on one machine. What
 * another machine needs a network of its own for has one on it.
 */
@Tag("slow")
@Timeout(value = 8, unit = TimeUnit.MINUTES)
class DocumentedCommandsTest {
  /** Not run here: {@code EmulatedDemoTest} and all tests are; the others are not Cascade's. */
  private static final List<String> LEFT_OUT =
      List.of("./cascade demo", "./cascade test", "sudo ", "curl ", "git ", "ssh ");

  private static final int DATA = 300_000;

  /** A machine that routes, with folders of its own where it would write into this one's. */
  private static final String ROUTER =
      "mount -t tmpfs none /run && cp -a /etc etc && mkdir -p etc/cascade && mount --bind etc /etc"
          + " && echo 1 > /proc/sys/net/ipv4/ip_forward"
          + " && echo 2 > /proc/sys/net/ipv4/conf/all/rp_filter";

  /** The gateway's machine of office 2, on the wire of this one. */
  private static final String OFFICES =
      """
      ip netns add office2 && ip link add wan0 type veth peer name wan0 netns office2 \
      && ip addr add 203.0.113.1/24 dev wan0 && ip link set wan0 up \
      && ip -n office2 addr add 203.0.113.2/24 dev wan0 && ip -n office2 link set wan0 up \
      && ip netns exec office2 sh -c 'echo 1 > /proc/sys/net/ipv4/ip_forward'
      """;

  /** A router's devices, and the routers beyond them. */
  private static final String UPLINKS =
      """
      ip netns add beyond && for device in lan0 wan0 wan1; do \
      ip link add $device type veth peer name $device netns beyond && ip link set $device up \
      && ip -n beyond link set $device up || exit 1; done \
      && ip addr add 10.9.0.1/24 dev lan0 \
      && ip addr add 192.0.2.2/24 dev wan0 && ip -n beyond addr add 192.0.2.1/24 dev wan0 \
      && ip addr add 198.51.100.2/24 dev wan1 && ip -n beyond addr add 198.51.100.1/24 dev wan1
      """;

  @TempDir Path here;
  @TempDir Path there;

  @BeforeAll
  static void needsANetworkOfItsOwn() throws IOException {
    boolean root = Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    assumeTrue(root, "SKIPPED: the documents' commands get a network of their own, as root");
  }

  @BeforeEach
  void makeTheFilesThatCommandsName() throws IOException {
    for (String name : List.of("FILE", "image.tar", "backup.tar", "nightly.tar")) {
      Files.write(here.resolve(name), new byte[DATA]);
    }
    Files.writeString(here.resolve("notes.txt"), "notes");
    Files.createDirectories(here.resolve("photos"));
    Files.writeString(here.resolve("photos/one.jpg"), "a picture");
  }

  @Test
  void ofTheReadme() throws Exception {
    try (ReadersMachine machine = new ReadersMachine(here, there)) {
      // What takes relays is on the page that sets them up.
      for (String line : lines("README.md")) {
        if (!line.startsWith("./cascade open")) {
          machine.type(line);
        }
      }
    }
    assertThat(there.resolve("FILE")).hasSize(DATA);
  }

  @Test
  void ofTheStart() throws Exception {
    try (ReadersMachine machine = new ReadersMachine(here, there)) {
      follow(machine, "docs/start/two-machines.md");
    }
  }

  @Test
  void thatMoveFiles() throws Exception {
    try (ReadersMachine machine = new ReadersMachine(here, there)) {
      follow(machine, "docs/tasks/move-files.md");
    }
    assertThat(there.resolve("data/image.tar")).hasSize(DATA);
    assertThat(there.resolve("data/backup.tar")).hasSize(DATA);
    assertThat(there.resolve("data/nightly.tar")).hasSize(DATA);
    assertThat(there.resolve("data/photos/one.jpg")).hasContent("a picture");
  }

  @Test
  void thatReplicateADatabase() throws Exception {
    try (ReadersMachine machine = new ReadersMachine(here, there)) {
      follow(machine, "docs/tasks/replicate-a-database.md");
    }
  }

  @Test
  void ofTheLaboratorysProxy() throws Exception {
    try (ReadersMachine machine = new ReadersMachine(here, there)) {
      machine.type(lines("docs/start/two-machines.md").getFirst());
      follow(machine, "docs/tasks/laboratory-proxy.md");
    }
  }

  @Test
  void thatSayWhetherItIsWorthIt() throws Exception {
    try (ReadersMachine machine = new ReadersMachine(here, there)) {
      follow(machine, "docs/tasks/worth-it.md");
    }
  }

  @Test
  void thatConnectOffices() throws Exception {
    SiteProcesses.assumeDevices("gateways");
    try (ReadersMachine machine = new ReadersMachine(here, there)) {
      machine.type(ROUTER);
      machine.type(OFFICES);
      for (String line : lines("docs/tasks/connect-offices.md")) {
        machine.type((line.contains("--name gw2") ? "ip netns exec office2 " : "") + line);
      }
    }
  }

  @Test
  void thatBondUplinks() throws Exception {
    SiteProcesses.assumeDevices("splitters");
    try (ReadersMachine machine = new ReadersMachine(here, there)) {
      machine.type(ROUTER);
      machine.type(UPLINKS);
      machine.type(lines("docs/start/two-machines.md").getFirst());
      relay(machine, "den", 7_411);
      relay(machine, "sea", 7_412);
      for (String line : lines("docs/tasks/replicate-a-database.md")) {
        if (line.contains("forward.key") && !line.contains("--listen")) {
          machine.type(line); // The key, and what runs beside the server.
        }
      }
      Process splitter = null;
      for (String line : lines("docs/tasks/bond-uplinks.md")) {
        if (line.contains("--mode pair") && splitter != null) {
          machine.end(splitter);
        }
        Process typed = machine.type(line);
        splitter = line.contains("scap up") ? typed : splitter;
      }
    }
  }

  private static void relay(ReadersMachine machine, String name, int port) throws Exception {
    machine.type("./cascade invite --name %s --site %s".formatted(name, name));
    machine.type(
        ("./cascade relay --listen 0.0.0.0 --join cin_... --advertise %s.example.org"
                + " --hop-port %d --control-port 0 --ingress-ports 20000-20099")
            .formatted(name, port));
  }

  private static void follow(ReadersMachine machine, String page) throws Exception {
    for (String line : lines(page)) {
      machine.type(line);
    }
  }

  private static List<String> lines(String page) throws IOException {
    List<String> lines =
        Documents.shellLines(Files.readString(Documents.ROOT.resolve(page))).stream()
            .filter(line -> LEFT_OUT.stream().noneMatch(line::startsWith))
            .toList();
    assertThat(lines).isNotEmpty();
    return lines;
  }
}
