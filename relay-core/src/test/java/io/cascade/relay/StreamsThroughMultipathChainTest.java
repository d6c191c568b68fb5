package io.cascade.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.api.client.ProblemException;
import io.cascade.api.relay.StreamOptions;
import io.cascade.relay.pump.PumpMode;
import io.cascade.relay.transport.MultipathTcp;
import io.cascade.relay.transport.Transport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** All that holds of a stream holds where relays are connected with Multipath TCP. */
class StreamsThroughMultipathChainTest extends StreamsThroughChainTest {
  private static final Path COUNTERS = Path.of("/proc/net/netstat");

  static Stream<Way> ways() {
    return Stream.of(new Way(Transport.EPOLL, PumpMode.AUTO));
  }

  @BeforeAll
  static void needsTheKernelsHelp() {
    if (!MultipathTcp.available()) {
      System.err.println("NOT TESTED: no Multipath TCP here; sysctl -w net.mptcp.enabled=1");
    }
    assumeTrue(MultipathTcp.available(), "no Multipath TCP");
  }

  @Override
  TestChain open(Way way, StreamOptions options) throws Exception {
    return TestChain.openEncrypted(3, way.transport(), way.pump(), address(), multipath(options));
  }

  @Test
  void theKernelsOnBothEndsSpeakIt() throws Exception {
    long before = counter("MPCapableSYNACKRX");
    try (TestChain chain = open(new Way(Transport.EPOLL, PumpMode.AUTO), TestChain.defaults())) {
      // Two hops with the four connections each that are kept warm.
      assertThat(counter("MPCapableSYNACKRX") - before).isGreaterThanOrEqualTo(8);
      assertThat(chain.control(0).list(TestChain.PATIENCE).parts().getFirst().warmConnections())
          .isEqualTo(4);
    }
  }

  @Test
  void itIsRefusedOnHopsThatAreNotEncrypted() {
    assertThatThrownBy(
            () -> TestChain.open(2, Transport.EPOLL, address(), multipath(TestChain.defaults())))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("security TLS");
  }

  @Test
  void itIsRefusedByATransportThatCannot() {
    assertThatThrownBy(() -> open(new Way(Transport.NIO, PumpMode.AUTO), TestChain.defaults()))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("--transport epoll");
  }

  private static StreamOptions multipath(StreamOptions options) {
    return new StreamOptions(
        options.bufferBytes(),
        options.warmConnections(),
        options.mode(),
        options.startAfterBytes(),
        options.startAfterWindows(),
        options.spoolBytes(),
        options.congestionControl(),
        options.noDelay(),
        options.keepAliveSeconds(),
        options.userTimeoutSeconds(),
        options.connectTimeoutSeconds(),
        options.idleTimeoutSeconds(),
        options.pacingBitsPerSecond(),
        true,
        options.halfCloseTimeoutSeconds(),
        options.chunkBytes(),
        null,
        options.inlet(),
        options.onward());
  }

  /** The kernel's own count: a line of names, then a line of values. */
  private static long counter(String name) throws IOException {
    List<List<String>> lines =
        Files.readAllLines(COUNTERS).stream()
            .filter(line -> line.startsWith("MPTcpExt:"))
            .map(line -> Arrays.asList(line.split(" ", -1)))
            .toList();
    return Long.parseLong(lines.get(1).get(lines.get(0).indexOf(name)));
  }
}
