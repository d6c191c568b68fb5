package io.cascade.client.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.client.ClientFailures;
import io.cascade.client.rendezvous.MeetingRelay;
import io.cascade.command.Verbs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Two ends behind a NAT each, in network namespaces with the kernel's own NAT, and the relay that
 * both reach. Needs root, ip and nft.
 *
 * <pre>
 * enda ─ nata ─ 198.51.100.0/24 ─ pub, the relay ─ 203.0.113.0/24 ─ natb ─ endb
 * </pre>
 */
@Tag("slow")
@Timeout(900)
class BehindNatsTest {
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final String RELAY = "198.51.100.1:7414";
  private static final List<String> NETWORKS = List.of("pub", "nata", "enda", "natb", "endb");
  private static final int LATER_BYTES = 24 << 20;

  /** What only a session that carries the file sends; checks and handshakes are far less. */
  private static final int DATA_BYTES = 100_000;

  private final String prefix = "cascade-nats-" + ProcessHandle.current().pid() + "-";
  private final List<Process> processes = Collections.synchronizedList(new ArrayList<>());

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @BeforeEach
  void setUp() throws Exception {
    assumeTrue(
        Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0)
            && Files.isExecutable(Path.of("/usr/sbin/nft"))
            && Files.isExecutable(Path.of("/usr/sbin/ip")),
        "SKIPPED: needs root, ip and nft");
    for (String name : NETWORKS) {
      run("", "ip", "netns", "add", prefix + name);
      inside(name, "ip link set lo up", "sysctl -qw net.ipv4.ip_forward=1");
    }
    connect("a", "198.51.100", "10.1.0");
    connect("b", "203.0.113", "10.2.0");
  }

  private void connect(String side, String outside, String within) throws Exception {
    inside(
        "pub",
        "ip link add to" + side + " type veth peer name wan netns " + prefix + "nat" + side,
        "ip address add " + outside + ".1/24 dev to" + side,
        "ip link set to" + side + " up");
    inside(
        "nat" + side,
        "ip link add lan type veth peer name lan netns " + prefix + "end" + side,
        "ip address add " + within + ".1/24 dev lan",
        "ip link set lan up",
        "ip address add " + outside + ".2/24 dev wan",
        "ip link set wan up",
        "ip route add default via " + outside + ".1");
    inside(
        "end" + side,
        "ip address add " + within + ".2/24 dev lan",
        "ip link set lan up",
        "ip route add default via " + within + ".1");
  }

  @AfterEach
  void remove() throws Exception {
    for (Process process : processes) {
      process.destroyForcibly().waitFor();
    }
    for (String name : NETWORKS) {
      int _ = new ProcessBuilder("ip", "netns", "delete", prefix + name).start().waitFor();
    }
  }

  @Test
  void aFileGoesDirectlyWhereTheNatsKeepPorts() throws Exception {
    translate("a", "");
    translate("b", "");

    Ends ends = start(LATER_BYTES);
    awaitDirectData();

    ends.arrives();
    assertThat(ends.codedBytes()).isPositive();
  }

  @Test
  void aFileArrivesByTheRelayWhereBothNatsTakeAnotherPortForEachPeer() throws Exception {
    translate("a", "random,fully-random");
    translate("b", "random,fully-random");

    Ends ends = start(LATER_BYTES);

    ends.arrives();
    assertThat(ends.codedBytes()).isZero();
  }

  @Test
  void aFileArrivesWhereUdpIsBlockedMeanwhile() throws Exception {
    translate("a", "");
    translate("b", "");
    Ends ends = start(LATER_BYTES);
    awaitDirectData();

    inside("nata", "nft insert rule ip guard forward meta l4proto udp drop");

    ends.arrives();
  }

  @Test
  void aFileArrivesOverAPathThatDropsLongDatagramsWithoutAWord() throws Exception {
    translate("a", "");
    translate("b", "");
    inside("pub", "ip link set tob mtu 1280");
    inside("natb", "ip link set wan mtu 1280");
    nft(
        "pub",
        """
        table ip silent {
          chain output {
            type filter hook output priority 0
            ip protocol icmp drop
          }
        }
        """);

    Ends ends = start(LATER_BYTES);

    ends.arrives();
  }

  @Test
  void anotherSessionIsDialledWhereANatHasForgottenThePath() throws Exception {
    translate("a", "");
    translate("b", "");
    Ends ends = start(3 * LATER_BYTES);
    awaitDirectData();

    nft(
        "nata",
        """
        flush chain ip nat post
        add rule ip nat post oifname wan ip protocol udp masquerade to :20000-25000
        add rule ip nat post oifname wan masquerade
        """);
    nft(
        "natb",
        """
        add counter ip guard again
        add rule ip guard forward ip saddr 198.51.100.2 udp sport 20000-25000 counter name again
        """);
    inside("nata", "ip link set wan down"); // The kernel forgets what it has masqueraded there.
    inside("nata", "ip link set wan up", "ip route add default via 198.51.100.1");
    Awaitility.await().atMost(PATIENCE).until(() -> bytes("natb", "again") > DATA_BYTES);

    ends.arrives();
  }

  /** Has a NAT translate what leaves, and let in what answers that. */
  private void translate(String side, String how) throws Exception {
    nft(
        "nat" + side,
        """
        table ip nat {
          chain post {
            type nat hook postrouting priority 100
            oifname wan masquerade %s
          }
        }
        table ip guard {
          counter direct { }
          chain input {
            type filter hook input priority 0
            iifname wan ct state != { established, related } drop
          }
          chain forward {
            type filter hook forward priority 0
            iifname wan ct state != { established, related } drop
            ip daddr { 198.51.100.2, 203.0.113.2 } meta l4proto udp counter name direct
          }
        }
        """
            .formatted(how));
  }

  /** Bytes over UDP that a counter of a NAT has seen between both. */
  private long bytes(String network, String counter) throws Exception {
    String told =
        run("", command(network, "nft list counter ip guard " + counter).toArray(String[]::new));
    Matcher bytes = Pattern.compile("bytes (\\d+)").matcher(told);
    return bytes.find() ? Long.parseLong(bytes.group(1)) : 0;
  }

  private void awaitDirectData() {
    Awaitility.await().atMost(PATIENCE).until(() -> bytes("nata", "direct") > DATA_BYTES);
  }

  private Ends start(int bytes) throws Exception {
    Path relayed = folder.resolve("relay");
    java("pub", relayed, MeetingRelay.class, "7414");
    awaitLine(relayed, "ready");
    Path into = Files.createDirectories(folder.resolve("in"));
    byte[] content = new byte[bytes];
    new Random(1).nextBytes(content);
    Path file = Files.write(folder.resolve("file"), content);
    Path received = folder.resolve("received");
    Process receiver =
        java(
            "endb",
            received,
            End.class,
            "receive",
            "--through",
            RELAY,
            "--output",
            into.toString());
    String code = awaitLine(received, "198\\S+/\\S+");
    Path sent = folder.resolve("sent");
    Process sender =
        java("enda", sent, End.class, "send", file.toString(), code, "--limit", "20Mbit", "--json");
    return new Ends(file, into.resolve("file"), sender, sent, receiver, received);
  }

  /** A sender and a receiver at work. */
  private record Ends(
      Path file, Path arriving, Process sender, Path sent, Process receiver, Path received) {
    void arrives() throws Exception {
      assertThat(sender.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(sender.exitValue()).as(Files.readString(sent)).isZero();
      assertThat(receiver.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(receiver.exitValue()).as(Files.readString(received)).isZero();
      assertThat(arriving).hasSameBinaryContentAs(file);
    }

    /** What the report says that the coded session carried. */
    long codedBytes() throws IOException {
      Matcher coded =
          Pattern.compile("\"coded\"\\s*:\\s*\\{\\s*\"bytes\"\\s*:\\s*(\\d+)")
              .matcher(Files.readString(sent));
      return coded.find() ? Long.parseLong(coded.group(1)) : 0;
    }
  }

  private static String awaitLine(Path output, String pattern) {
    Pattern sought = Pattern.compile(pattern);
    return Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () -> {
              Matcher found = sought.matcher(Files.readString(output));
              return found.find() ? found.group() : "";
            },
            text -> !text.isEmpty());
  }

  private Process java(String network, Path output, Class<?> main, String... arguments)
      throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classes =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    List<String> command = new ArrayList<>(command(network, java));
    command.addAll(
        List.of("-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", "-cp", classes));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().put("XDG_CONFIG_HOME", folder.toString());
    Process process = builder.start();
    processes.add(process);
    return process;
  }

  private List<String> command(String network, String command) {
    return Stream.concat(
            Stream.of("ip", "netns", "exec", prefix + network), Stream.of(command.split(" ", -1)))
        .toList();
  }

  private void inside(String network, String... commands) throws Exception {
    for (String command : commands) {
      String _ = run("", command(network, command).toArray(String[]::new));
    }
  }

  private void nft(String network, String rules) throws Exception {
    String _ = run(rules + "\n", command(network, "nft -f -").toArray(String[]::new));
  }

  private static String run(String input, String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (var to = process.getOutputStream()) {
      to.write(input.getBytes(StandardCharsets.UTF_8));
    }
    String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("%s: %s", String.join(" ", command), told).isZero();
    return told;
  }

  /** A verb in a process of its own. */
  static final class End {
    private End() {}

    public static void main(String[] arguments) {
      CommandLine line = new CommandLine(new RendezvousVerbsTest.Root());
      List.of(new SendVerb(), new ReceiveVerb()).forEach(line::addSubcommand);
      System.exit(Verbs.prepare(line, System.getenv(), new ClientFailures()).execute(arguments));
    }
  }
}
