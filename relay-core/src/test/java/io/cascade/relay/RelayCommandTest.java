package io.cascade.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.client.RelayControlClient;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.Egress;
import io.cascade.api.relay.HealthStatus;
import io.cascade.api.relay.Ingress;
import io.cascade.carriage.tls.TlsLibrary;
import io.cascade.carriage.transport.CongestionControls;
import io.cascade.carriage.transport.Transport;
import io.cascade.command.StateHome;
import io.cascade.command.Verbs;
import io.cascade.relay.balancer.Balancers;
import io.cascade.relay.chain.PortRange;
import io.cascade.relay.proxy.ProxySettings;
import io.cascade.relay.pump.PumpMode;
import io.cascade.relay.registration.FakeOrchestrator;
import io.cascade.relay.rendezvous.RendezvousLimits;
import io.cascade.relay.rendezvous.RendezvousSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@Tag("slow")
class RelayCommandTest {
  /** Pins have commas of their own. */
  private static final String PINS = "sha256-" + "A".repeat(43) + ",sha256-" + "B".repeat(43);

  private static final Duration SOON = Duration.ofSeconds(10);
  private static final Pattern READY =
      Pattern.compile(
          "cascade relay r1 ready: control (http://127\\.0\\.0\\.1:\\d+), hop 127\\.0\\.0\\.1:\\d+");

  @Test
  void startsOnLoopbackWithNothingButDefaults() {
    RelaySettings settings = settings();
    assertThat(settings.name()).matches("[a-z0-9]([a-z0-9-]*[a-z0-9])?");
    assertThat(settings.site()).isEqualTo("default");
    assertThat(settings.listen().getHostAddress()).isEqualTo("127.0.0.1");
    assertThat(settings.advertise()).isEqualTo("127.0.0.1");
    assertThat(settings.hopPort()).isEqualTo(7_411);
    assertThat(settings.controlPort()).isEqualTo(7_412);
    assertThat(settings.ingressPorts()).isNull();
    assertThat(settings.orchestrators()).isEmpty();
    assertThat(settings.token()).isNull();
    assertThat(settings.proxies().socks()).isNull();
    assertThat(settings.proxies().connect()).isNull();
    assertThat(settings.transport()).isEqualTo(Transport.best());
    assertThat(settings.pump()).isEqualTo(PumpMode.AUTO);
    assertThat(settings.eventLoops()).isEqualTo(Runtime.getRuntime().availableProcessors());
    assertThat(settings.memoryBudgetBytes()).isEqualTo(256L << 20);
    assertThat(settings.maxStreams()).isEqualTo(10_000);
    assertThat(settings.spoolDir())
        .isEqualTo(StateHome.cascade().resolve("spool-" + settings.name()));
    assertThat(settings.capacityBitsPerSecond()).isNull();
    assertThat(settings.pricePerGib()).isNull();
    assertThat(settings.drain()).isEqualTo(Duration.ofSeconds(25));
    assertThat(settings.serveAlone()).isEqualTo(Duration.ofDays(7));
    assertThat(settings("--serve-alone=0").serveAlone()).isZero();
  }

  @Test
  void takesEverySetting() {
    RelaySettings settings =
        settings(
            "--name=r7",
            "--site=oslo",
            "--orchestrator=https://o.example:7400#" + PINS + ",https://p.example:7400#" + PINS,
            "--listen=::1",
            "--advertise=r7.example",
            "--hop-port=1",
            "--control-port=2",
            "--ingress-ports=20000-20999",
            "--token=t0ken",
            "--transport=nio",
            "--accept-proxy-protocol=10.0.0.0/28,2001:db8::7",
            "--pump=splice",
            "--hop-security=tls",
            "--tls-library=jdk",
            "--event-loops=3",
            "--memory=64MiB",
            "--max-streams=9",
            "--spool-dir=/var/spool/cascade",
            "--capacity=100Mbit",
            "--price-per-gib=0.02",
            "--drain=5",
            "--identity=/var/lib/cascade/r7.identity",
            "--serve-alone=12h",
            "--test-budget=1GiB",
            "--rendezvous=127.0.0.3:7414",
            "--rendezvous-bytes-a-day=5GiB");
    assertThat(settings)
        .usingRecursiveComparison()
        .isEqualTo(
            new RelaySettings(
                "r7",
                "oslo",
                settings.listen(),
                "r7.example",
                1,
                InetAddress.getLoopbackAddress(),
                2,
                new PortRange(20_000, 20_999),
                Balancers.parse(List.of("10.0.0.0/28", "2001:db8::7")),
                List.of(
                    URI.create("https://o.example:7400#" + PINS),
                    URI.create("https://p.example:7400#" + PINS)),
                new Token("t0ken"),
                Transport.NIO,
                PumpMode.SPLICE,
                HopSecurity.TLS,
                TlsLibrary.JDK,
                3,
                64L << 20,
                9,
                Path.of("/var/spool/cascade"),
                100_000_000L,
                0.02,
                Duration.ofSeconds(5),
                null,
                ProxySettings.NONE,
                Path.of("/var/lib/cascade/r7.identity"),
                Duration.ofHours(12),
                1L << 30,
                CongestionControls.of(Transport.NIO, null),
                new RendezvousSettings(
                    new InetSocketAddress("127.0.0.3", 7414), RendezvousLimits.usual(5L << 30))));
  }

  @Test
  void aRelayThatOthersAreToReachAtTheirOwnHostDoesNotStart() {
    String remote = "--orchestrator=https://o.example:7400#" + PINS;

    Ran ran = run("--name=r7", remote, "--socks=127.0.0.1:0", "--allow-destination=*");

    assertThat(ran.exitCode).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(ran.err)
        .contains("advertise: 127.0.0.1 means the local host on every other machine")
        .contains("--listen 0.0.0.0 or --advertise HOST");
    assertThat(RelayCommand.unreachable(settings(remote, "--listen=::1"))).isNotNull();
    assertThat(
            RelayCommand.unreachable(
                settings(remote, "--listen=0.0.0.0", "--token=t", "--advertise=127.0.0.2")))
        .contains("by --advertise HOST")
        .doesNotContain("--listen");
    assertThat(RelayCommand.unreachable(settings(remote, "--advertise=r7.example"))).isNull();
    assertThat(RelayCommand.unreachable(settings(remote, "--advertise=127.example"))).isNull();
    assertThat(RelayCommand.unreachable(settings("--orchestrator=http://127.0.0.1:7400"))).isNull();
    assertThat(RelayCommand.unreachable(settings())).isNull();
  }

  @Test
  void aControlThatIsNotToBeHadIsAMistakeThatNamesWhatIs() {
    List<String> offered = CongestionControls.of(Transport.best(), null).offered();
    assertThatThrownBy(() -> settings("--controls=" + String.join(",", offered) + ",warp"))
        .hasMessageContaining("controls: 'warp' (expected: some of ");
  }

  @Test
  void advertisesTheAddressThatRoutesToTheOrchestrator() {
    RelaySettings settings =
        settings("--listen=0.0.0.0", "--token=t", "--orchestrator=http://127.0.0.1:7400");
    assertThat(settings.advertise()).isEqualTo("127.0.0.1");
  }

  @ParameterizedTest
  @CsvSource({
    "alpha, alpha",
    "Alpha.example.org, alpha",
    "my_host, my-host",
    "-x-, x",
    "'', relay",
    "___, relay",
    "'R 2\n', r-2"
  })
  void makesARelaysNameOfAHostName(String host, String name) {
    assertThat(HostName.sanitised(host)).isEqualTo(name);
    assertThat(HostName.sanitised(host + "y".repeat(80))).hasSizeLessThanOrEqualTo(63);
  }

  @ParameterizedTest
  @CsvSource({
    "1000, 1000",
    "100Mbit, 100000000",
    "1.5Gbit/s, 1500000000",
    "10k, 10000",
    "2 Tbps, 2000000000000"
  })
  void readsRates(String text, long bitsPerSecond) {
    assertThat(settings("--capacity=" + text).capacityBitsPerSecond()).isEqualTo(bitsPerSecond);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--capacity=1MB",
        "--capacity=fast",
        "--transport=quic",
        "--ingress-ports=5",
        "--memory=lots",
        "--hop-port=x",
        "--unknown"
      })
  void namesTheOptionThatItCannotRead(String option) {
    Ran ran = run(option);
    assertThat(ran.exitCode).isEqualTo(2);
    assertThat(ran.err).contains(option.substring(0, option.indexOf('=') + 1).replace("=", ""));
    assertThat(ran.err.lines()).hasSize(2);
    assertThat(ran.out).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "--listen=0.0.0.0, there is no token",
    "--listen=no-such-host.invalid, listen: no-such-host.invalid has no address",
    "--name=UPPER, name: 'UPPER'",
    "--event-loops=0, event loops: 0",
    "--memory=1TiB, --memory 1024GiB with --max-streams 10000 needs CASCADE_DIRECT_MEMORY=",
    "--orchestrator=ftp://x, orchestrator: ftp://x"
  })
  void namesTheSettingThatCannotBe(String option, String message) {
    Ran ran = run(option);
    assertThat(ran.exitCode).isEqualTo(2);
    assertThat(ran.err).contains(message).contains("--help").doesNotContain("Exception");
  }

  @Test
  void explainsEveryOption() {
    CommandLine line =
        Verbs.prepare(new CommandLine(new RelayCommand()), Map.of(), String::valueOf);
    Verbs.showAllOptions(line);
    String help = line.getUsageMessage();
    for (var option : line.getCommandSpec().options()) {
      assertThat(help).contains(option.longestName());
      assertThat(option.description()).isNotEmpty();
    }
  }

  @Test
  void saysWhichPortIsTaken() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());
      Ran control = run("--transport=nio", "--hop-port=0", "--control-port=" + port);
      assertThat(control.exitCode).isEqualTo(1);
      assertThat(control.err)
          .contains("control port", port, "another program listens there already")
          .hasLineCount(1);
      Ran hop = run("--transport=nio", "--control-port=0", "--hop-port=" + port);
      assertThat(hop.exitCode).isEqualTo(1);
      assertThat(hop.err)
          .contains("hop port " + port, "another program listens there already")
          .hasLineCount(1);
    }
  }

  @Test
  void failsWhenALaterStartOfTheRelayIsRegistered(@TempDir Path folder) throws IOException {
    try (FakeOrchestrator orchestrator = new FakeOrchestrator()) {
      orchestrator.problem = "relay-superseded";
      orchestrator.registerStatus = 409;
      Ran ran =
          run(
              "--transport=nio",
              "--name=r1",
              "--hop-port=0",
              "--control-port=0",
              "--orchestrator=" + orchestrator.address(),
              "--identity=" + folder.resolve("r1.identity"));
      assertThat(ran.exitCode).isEqualTo(1);
    }
  }

  @Test
  void saysWhereItsIdentityCannotBeWritten(@TempDir Path folder) throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    Ran ran =
        run(
            "--transport=nio",
            "--hop-port=0",
            "--control-port=0",
            "--orchestrator=http://127.0.0.1:9",
            "--identity=" + file.resolve("r1.identity"));
    assertThat(ran.exitCode).isEqualTo(1);
    assertThat(ran.err).contains("fix: --identity FILE").hasLineCount(1);
  }

  @Test
  void servesUntilSigtermAndEndsWithSuccess() throws Exception {
    try (Running relay = Running.start()) {
      assertThat(relay.control.health(SOON).status()).isEqualTo(HealthStatus.UP);
      relay.terminate();
      assertThat(relay.exitCode()).isZero();
      assertThat(relay.errors.lines()).anyMatch(line -> line.contains("stopping"));
    }
  }

  /** Also pins the unit of the JDK's property, which its documentation gives as milliseconds. */
  @Test
  void endsAControlConnectionWhoseRequestDoesNotCome() throws Exception {
    try (Running relay = Running.start("-Dsun.net.httpserver.maxReqTime=2");
        Socket slow = new Socket(relay.address.getHost(), relay.address.getPort())) {
      slow.setSoTimeout(20_000);
      long began = System.nanoTime();
      slow.getOutputStream().write("GET /control/v1/heal".getBytes(StandardCharsets.US_ASCII));
      assertThat(slow.getInputStream().read()).isEqualTo(-1);
      assertThat(Duration.ofNanos(System.nanoTime() - began))
          .isBetween(Duration.ofMillis(1_500), Duration.ofSeconds(15));
    }
  }

  @Test
  void namesAnAddressThatOthersReachWhenItListensOnAll() throws Exception {
    String ready = "cascade relay r1 ready: control http://127.0.0.1:\\d+, hop r1.example:\\d+";
    RelaySettings settings =
        settings(
            "--name=r1",
            "--listen=0.0.0.0",
            "--token=t",
            "--advertise=r1.example",
            "--hop-port=0",
            "--control-port=0",
            "--transport=nio");
    try (RelayNode node = RelayNode.start(settings)) {
      assertThat(RelayCommand.readyLine(node, settings)).matches(ready);
    }
  }

  @Test
  void chainsOpenNoPortBesidesThoseItIsTold() throws Exception {
    RelaySettings settings =
        settings(
            "--name=r1",
            "--hop-port=0",
            "--control-port=0",
            "--transport=nio",
            "--ingress-ports=20000-20099");
    try (RelayNode node = RelayNode.start(settings)) {
      RelayControlClient control =
          new RelayControlClient(
              URI.create("http://127.0.0.1:" + node.controlAddress().getPort()), null);
      ChainPart part =
          TestParts.of(
              0,
              60,
              Ingress.builder().port(30_000).build(),
              null,
              null,
              Egress.builder().host("127.0.0.1").port(9).build(),
              null,
              null);

      assertThatThrownBy(() -> control.install(UUID.randomUUID(), part, SOON))
          .hasMessageContaining("30000 (expected: 0 or 20000-20099");
    }
  }

  @Test
  void letsAStreamEndBeforeItStops() throws Exception {
    try (Running relay = Running.start();
        ServerSocket destination = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket client = relay.open(destination);
        Socket server = destination.accept()) {
      relay.terminate();
      relay.awaitLog("stopping");
      client.getOutputStream().write("still here".getBytes(StandardCharsets.US_ASCII));
      client.shutdownOutput();
      assertThat(server.getInputStream().readAllBytes()).hasSize(10);
      server.close();
      assertThat(relay.exitCode()).isZero();
    }
  }

  @Test
  void endsAtOnceOnASecondSignal() throws Exception {
    try (Running relay = Running.start();
        ServerSocket destination = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket client = relay.open(destination);
        Socket server = destination.accept()) {
      assertThat(client.isConnected() && server.isConnected()).isTrue();
      relay.terminate();
      relay.awaitLog("stopping");
      relay.terminate();
      assertThat(relay.exitCode()).isEqualTo(128 + 15);
    }
  }

  private static RelaySettings settings(String... arguments) {
    RelayCommand command = new RelayCommand();
    prepared(command).parseArgs(arguments);
    return command.settings();
  }

  @Test
  void takesSeveralRulesFromTheEnvironment() {
    RelayCommand command = new RelayCommand();
    Map<String, String> environment =
        Map.of(
            "CASCADE_CONFIG",
            "/dev/null",
            "CASCADE_ALLOW_DESTINATION",
            "10.0.0.0/8,[fd00::/8]:443");
    Verbs.prepare(new CommandLine(command), environment, e -> String.valueOf(e.getMessage()))
        .parseArgs();
    assertThat(command.settings().proxies().destinations())
        .containsExactly("10.0.0.0/8", "[fd00::/8]:443");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"relay_1", "relay 1", "r1\nWARN", "-r1", "r1-", "a..b", "127.1", "256.1.1.1", ""})
  void refusesToAdvertiseWhatNoUrlCanHaveAsItsHost(String host) {
    assertThatThrownBy(() -> settings("--advertise=" + host))
        .isInstanceOf(CommandLine.ParameterException.class)
        .hasMessageContaining("advertise: '" + host + "' (expected: a host name")
        .hasMessageContaining("underscore");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "relay-1",
        "0a1b2c3d4e5f",
        "r1.example.",
        "10.0.0.7",
        "2001:db8::1",
        "fe80::1%eth0"
      })
  void advertisesNamesAndAddresses(String host) {
    assertThat(settings("--advertise=" + host).advertise()).isEqualTo(host);
  }

  @Test
  void asksForAnAddressWhereNoRouteTellsOne() {
    assertThatThrownBy(() ->
            settings("--listen=0.0.0.0", "--token=t", "--orchestrator=http://no-such-host.invalid"))
        .isInstanceOf(CommandLine.ParameterException.class)
        .hasMessageContaining("--advertise HOST");
  }

  private static CommandLine prepared(RelayCommand command) {
    return Verbs.prepare(
        new CommandLine(command),
        Map.of("CASCADE_CONFIG", "/dev/null"),
        e -> String.valueOf(e.getMessage()));
  }

  private record Ran(int exitCode, String out, String err) {}

  private static Ran run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        prepared(new RelayCommand())
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(arguments);
    return new Ran(exitCode, out.toString(), err.toString());
  }

  /** What a launcher does. */
  static final class Main {
    private Main() {}

    public static void main(String[] arguments) {
      System.exit(prepared(new RelayCommand()).execute(arguments));
    }
  }

  /** A relay in a process of its own. */
  private record Running(
      Process process, URI address, RelayControlClient control, BufferedReader errors)
      implements AutoCloseable {

    static Running start(String... options) throws IOException {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of(options));
      command.addAll(
          List.of(
              "-Xmx64m",
              "-XX:MaxDirectMemorySize=2g",
              "-cp",
              System.getProperty("java.class.path")));
      command.addAll(List.of(Main.class.getName(), "--name=r1", "--drain=600"));
      command.addAll(List.of("--hop-port=0", "--control-port=0"));
      Process process = new ProcessBuilder(command).start();
      String first = process.inputReader().readLine();
      Matcher ready = READY.matcher(String.valueOf(first));
      if (!ready.matches()) {
        process.destroyForcibly();
        throw new IOException("not ready: " + first + process.errorReader().lines().toList());
      }
      URI address = URI.create(ready.group(1));
      RelayControlClient control = new RelayControlClient(address, null);
      return new Running(process, address, control, process.errorReader());
    }

    /** A client of a chain through this relay to a destination. */
    Socket open(ServerSocket destination) throws IOException {
      ChainPart part =
          TestParts.of(
              0,
              60,
              Ingress.builder().port(0).build(),
              null,
              null,
              Egress.builder().host("127.0.0.1").port(destination.getLocalPort()).build(),
              null,
              null);
      Integer port = control.install(UUID.randomUUID(), part, SOON).ingressPort();
      return new Socket(InetAddress.getLoopbackAddress(), port == null ? 0 : port);
    }

    /** Sends SIGTERM; Process.destroy would also close the streams. */
    void terminate() {
      assertThat(process.toHandle().destroy()).isTrue();
    }

    void awaitLog(String text) throws IOException {
      for (String line = errors.readLine(); line != null; line = errors.readLine()) {
        if (line.contains(text)) {
          return;
        }
      }
      throw new IOException("the relay ended without a line with " + text);
    }

    int exitCode() throws InterruptedException {
      assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
      return process.exitValue();
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }
}
