package io.cascade.relay.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.relay.ProbeReport;
import io.cascade.api.relay.ProbeRequest;
import io.cascade.carriage.socket.Sockets;
import io.cascade.carriage.transport.ConnectionError;
import io.cascade.carriage.transport.ConnectionFailure;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.destination.DestinationPolicy;
import io.cascade.relay.destination.DestinationRules;
import io.cascade.relay.destination.OwnPorts;
import io.cascade.relay.names.NameLookups;
import io.cascade.testing.ReservedPort;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NoRouteToHostException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ConnectProbeTest {
  private static final long MILLI = 1_000_000L;

  private static final Transport TRANSPORT = Transport.best();
  private static final EventLoopGroup LOOPS =
      new MultiThreadIoEventLoopGroup(1, TRANSPORT.newIoHandlerFactory());

  private final Sockets sockets = new Sockets(TRANSPORT, LOOPS);
  private static final NameLookups NAMES = new NameLookups(NameLookups.Resolver.SYSTEM);
  private final ConnectProbe probe = new ConnectProbe(policy(), NAMES, sockets);

  @AfterAll
  static void close() {
    LOOPS.shutdownGracefully(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
  }

  @Test
  void measuresAHostThatListens() throws IOException {
    try (ServerSocket listener = listen()) {
      ProbeReport report =
          probe.probe(
              ProbeRequest.builder()
                  .host("localhost")
                  .port(listener.getLocalPort())
                  .count(3)
                  .build());
      assertThat(report.host()).isEqualTo("localhost");
      assertThat(report.address()).isEqualTo("127.0.0.1");
      assertThat(report.attempts()).isEqualTo(3);
      assertThat(report.connected()).isEqualTo(3);
      assertThat(report.late()).isZero();
      assertThat(report.minRttMillis()).isPositive().isLessThanOrEqualTo(report.medianRttMillis());
      assertThat(report.failure()).isNull();
    }
  }

  @Test
  void connectsFiveTimesWhenNotToldOtherwise() throws IOException {
    try (ServerSocket listener = listen()) {
      ProbeReport report =
          probe.probe(
              ProbeRequest.builder().host("127.0.0.1").port(listener.getLocalPort()).build());
      assertThat(report.attempts()).isEqualTo(5);
    }
  }

  @Test
  void takesARefusalForAMeasurement() throws IOException {
    try (ReservedPort closed = ReservedPort.take()) {
      ProbeReport report =
          probe.probe(
              ProbeRequest.builder().host("127.0.0.1").port(closed.number()).count(2).build());
      assertThat(report.connected()).isZero();
      assertThat(report.failure()).isEqualTo("refused");
      assertThat(report.minRttMillis()).isNull();
      assertThat(report.medianRttMillis()).isNull();
    }
  }

  @Test
  void connectsToNoAddressThatThePolicyForbids() throws IOException {
    try (ServerSocket listener = listen()) {
      int port = listener.getLocalPort();
      ConnectProbe strict = new ConnectProbe(policy(false), NAMES, sockets);

      ProbeReport report =
          strict.probe(ProbeRequest.builder().host("localhost").port(port).count(3).build());

      assertThat(report.attempts()).isZero();
      assertThat(report.connected()).isZero();
      assertThat(report.address()).isNull();
      assertThat(report.notAllowed()).isTrue();
      assertThat(report.failure())
          .contains(":" + port + " is a loopback address")
          .contains("--allow-destination");
    }
  }

  @Test
  void doesNotTellAProxysClientWhatTheNameResolvesTo() throws IOException {
    try (ServerSocket listener = listen()) {
      int port = listener.getLocalPort();

      ProbeReport report =
          probe.probe(
              ProbeRequest.builder().host("localhost").port(port).count(3).guarded(true).build());

      assertThat(report.attempts()).isZero();
      assertThat(report.address()).isNull();
      assertThat(report.notAllowed()).isTrue();
      assertThat(report.failure()).isEqualTo("not allowed from there");
      assertThat(
              probe
                  .probe(
                      ProbeRequest.builder()
                          .host("localhost")
                          .port(port)
                          .count(3)
                          .guarded(false)
                          .build())
                  .connected())
          .isEqualTo(3);
    }
  }

  @Test
  void thePolicyJudgesThePortAsWell() throws IOException {
    try (ServerSocket open = listen();
        ServerSocket closed = listen()) {
      ConnectProbe guarded =
          new ConnectProbe(policy(false, "127.0.0.0/8:" + open.getLocalPort()), NAMES, sockets);

      assertThat(connected(guarded, open)).isEqualTo(1);
      assertThat(connected(guarded, closed)).isZero();
    }
  }

  private static DestinationPolicy policy() {
    return policy(true);
  }

  private static DestinationPolicy policy(boolean opensLoopback, String... rules) {
    return new DestinationPolicy(
        DestinationRules.parse(List.of(rules)),
        opensLoopback,
        new OwnPorts("localhost", _ -> false));
  }

  private static int connected(ConnectProbe probe, ServerSocket listener) throws IOException {
    return probe
        .probe(
            ProbeRequest.builder()
                .host("127.0.0.1")
                .port(listener.getLocalPort())
                .count(1)
                .guarded(true)
                .build())
        .connected();
  }

  @Test
  void namesTheHostThatDoesNotResolve() {
    assertThatThrownBy(() ->
            probe.probe(
                ProbeRequest.builder().host("no-such-host.invalid").port(80).count(1).build()))
        .isInstanceOf(UnknownHostException.class)
        .hasMessage("no-such-host.invalid");
  }

  @Test
  void countsLateConnectionsAndLeavesThemOutOfTheRoundTripTimes() throws IOException {
    Iterator<Long> taken = List.of(20 * MILLI, 1_040 * MILLI, 30 * MILLI).iterator();
    ConnectProbe faked =
        new ConnectProbe(
            policy(),
            NAMES,
            (target, timeout) -> {
              synchronized (taken) {
                return taken.next();
              }
            });

    ProbeReport report =
        faked.probe(ProbeRequest.builder().host("127.0.0.1").port(80).count(3).build());

    assertThat(report.connected()).isEqualTo(3);
    assertThat(report.late()).isEqualTo(1);
    assertThat(report.minRttMillis()).isEqualTo(20.0);
    assertThat(report.medianRttMillis()).isEqualTo(25.0);
  }

  @Test
  void beginsTheNextConnectionWhileOthersAreUnderWay() throws IOException {
    CountDownLatch begun = new CountDownLatch(3);
    ConnectProbe faked =
        new ConnectProbe(
            policy(),
            NAMES,
            (target, timeout) -> {
              begun.countDown();
              try {
                assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
              } catch (InterruptedException e) {
                throw new IOException(e);
              }
              return MILLI;
            });

    assertThat(
            faked
                .probe(ProbeRequest.builder().host("127.0.0.1").port(80).count(3).build())
                .connected())
        .isEqualTo(3);
  }

  @Test
  void anInterruptEndsWhatIsUnderWay() throws IOException {
    Thread caller = Thread.currentThread();
    ConnectProbe faked =
        new ConnectProbe(
            policy(),
            NAMES,
            (target, timeout) -> {
              caller.interrupt();
              try {
                return new CountDownLatch(1).await(1, TimeUnit.HOURS) ? 1 : 2;
              } catch (InterruptedException e) {
                throw new IOException("interrupted", e);
              }
            });

    ProbeReport report =
        faked.probe(ProbeRequest.builder().host("127.0.0.1").port(80).count(5).build());

    assertThat(Thread.interrupted()).isTrue();
    assertThat(report.connected()).isZero();
  }

  @Test
  void aConnectionThatStoodIsEndedAndNotReset() throws IOException {
    try (ServerSocket listener = listen()) {
      probe.probe(
          ProbeRequest.builder().host("127.0.0.1").port(listener.getLocalPort()).count(1).build());
      try (Socket accepted = listener.accept()) {
        assertThat(accepted.getInputStream().read()).isEqualTo(-1);
      }
    }
  }

  @Test
  void takesSilenceForATimeOut() throws IOException {
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      List<Socket> queue = new ArrayList<>();
      try {
        for (int i = 0; i < 2; i++) { // as many as wait for accept; the kernel drops further SYNs
          queue.add(new Socket(full.getInetAddress(), full.getLocalPort()));
        }
        ProbeReport report =
            probe.probe(
                ProbeRequest.builder()
                    .host("127.0.0.1")
                    .port(full.getLocalPort())
                    .count(1)
                    .timeoutMillis(100)
                    .build());
        assertThat(report.failure()).isEqualTo("timed out");
      } finally {
        for (Socket waiting : queue) {
          waiting.close();
        }
      }
    }
  }

  /** The words of an exception are for people, and may be in any language. */
  @ParameterizedTest
  @MethodSource
  void namesFailuresByWhatTheyAre(IOException failure, String expected) throws IOException {
    ConnectProbe failing =
        new ConnectProbe(
            policy(),
            NAMES,
            (target, timeout) -> {
              throw failure;
            });
    assertThat(
            failing
                .probe(ProbeRequest.builder().host("127.0.0.1").port(80).count(1).build())
                .failure())
        .isEqualTo(expected);
  }

  static Stream<Arguments> namesFailuresByWhatTheyAre() {
    return Stream.of(
        Arguments.of(new ConnectException("Verbindungsaufbau abgelehnt"), "refused"),
        Arguments.of(new ConnectTimeoutException("zu lange"), "timed out"),
        Arguments.of(new NoRouteToHostException("kein Weg"), "unreachable"),
        Arguments.of(
            new ConnectionFailure(ConnectionError.NETWORK_UNREACHABLE, "kein Netz"), "unreachable"),
        Arguments.of(new SocketException("refused by nobody"), "refused by nobody"));
  }

  private static ServerSocket listen() throws IOException {
    return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }
}
