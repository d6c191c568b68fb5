package io.cascade.relay;

import static io.cascade.relay.ProxyRig.CHOSEN_LOGIN;
import static io.cascade.relay.ProxyRig.CHOSEN_NO_LOGIN;
import static io.cascade.relay.ProxyRig.GRANTED;
import static io.cascade.relay.ProxyRig.NO_LOGIN;
import static io.cascade.relay.ProxyRig.WITH_LOGIN;
import static io.cascade.relay.ProxyRig.command;
import static io.cascade.relay.ProxyRig.connectTo;
import static io.cascade.relay.ProxyRig.dial;
import static io.cascade.relay.ProxyRig.expect;
import static io.cascade.relay.ProxyRig.login;
import static io.cascade.relay.ProxyRig.reply;
import static io.cascade.relay.ProxyRig.send;
import static io.cascade.relay.ProxyRig.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.carriage.transport.Transport;
import io.cascade.testing.ReservedPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** SOCKS5 as clients meet it, on real sockets. */
@Timeout(60)
class Socks5PortTest extends ProxyPortTest {
  @ParameterizedTest
  @MethodSource("transports")
  void carriesBothWaysForTheJdksOwnClient(Transport transport) throws Exception {
    ProxyRig rig = rig(ProxyRig.start(transport));
    byte[] there = random(2_000_000, 1);
    byte[] back = random(1_500_000, 2);
    Socket client = opened(new Socket(new Proxy(Proxy.Type.SOCKS, rig.socks())));
    client.connect(InetSocketAddress.createUnresolved("localhost", rig.port()));
    Socket server = opened(rig.destination.accept());
    Thread writing = Thread.startVirtualThread(() -> writeAndEnd(client, there));
    assertThat(server.getInputStream().readAllBytes()).isEqualTo(there);
    writeAndEnd(server, back);
    assertThat(client.getInputStream().readAllBytes()).isEqualTo(back);
    writing.join();
    assertThat(rig.counted("direct")).isEqualTo(1);
  }

  @ParameterizedTest
  @MethodSource("transports")
  void bytesInTheSamePacketAsTheHandshakeAreTheStreamsFirst(Transport transport) throws Exception {
    ProxyRig rig = rig(ProxyRig.start(transport));
    Socket client = opened(dial(rig.socks()));
    send(client, NO_LOGIN, command(1, "127.0.0.1", rig.port()), text("hasty"));
    Socket server = opened(rig.destination.accept());
    expect(server, text("hasty"));
    expect(client, CHOSEN_NO_LOGIN);
    assertThat(reply(client)).isEqualTo(GRANTED);
    send(server, text("answer"));
    expect(client, text("answer"));
    send(client, text("more"));
    client.shutdownOutput();
    expect(server, text("more"));
    assertThat(server.getInputStream().read()).isEqualTo(-1);
  }

  @ParameterizedTest
  @MethodSource("transports")
  void aClientThatHasSaidAllAndEndedGetsItsAnswer(Transport transport) throws Exception {
    ProxyRig rig = rig(ProxyRig.start(transport));
    Socket client = opened(dial(rig.socks()));
    send(client, NO_LOGIN, command(1, "127.0.0.1", rig.port()), text("all of it"));
    client.shutdownOutput();
    Socket server = opened(rig.destination.accept());
    assertThat(server.getInputStream().readAllBytes()).isEqualTo(text("all of it"));
    writeAndEnd(server, text("answer"));
    expect(client, CHOSEN_NO_LOGIN);
    assertThat(reply(client)).isEqualTo(GRANTED);
    assertThat(client.getInputStream().readAllBytes()).isEqualTo(text("answer"));
  }

  @Test
  void aHandshakeMayComeByteByByte() throws Exception {
    ProxyRig rig = rig(ProxyRig.start(Transport.best()));
    Socket client = opened(dial(rig.socks()));
    client.setTcpNoDelay(true);
    for (byte one : NO_LOGIN) {
      send(client, new byte[] {one});
    }
    expect(client, CHOSEN_NO_LOGIN);
    for (byte one : command(1, "localhost", rig.port())) {
      send(client, new byte[] {one});
    }
    assertThat(reply(client)).isEqualTo(GRANTED);
  }

  @Test
  void aResetAtTheDestinationReachesTheClient() throws Exception {
    ProxyRig rig = rig(ProxyRig.start(Transport.best()));
    Socket client = opened(rig.greeted());
    send(client, command(1, "127.0.0.1", rig.port()));
    assertThat(reply(client)).isEqualTo(GRANTED);
    Socket server = rig.destination.accept();
    server.setSoLinger(true, 0);
    server.close();
    org.assertj.core.api.Assertions.assertThatThrownBy(() -> client.getInputStream().read())
        .isInstanceOf(SocketException.class);
  }

  @ParameterizedTest
  @CsvSource({"2, 7", "3, 7", "9, 7"})
  void bindAndUdpAssociateAreNotSupported(int command, int code) throws Exception {
    ProxyRig rig = rig(ProxyRig.start(Transport.best()));
    Socket client = opened(rig.greeted());
    send(client, command(command, "127.0.0.1", rig.port()));
    assertThat(reply(client)).isEqualTo(code);
    assertThat(client.getInputStream().read()).isEqualTo(-1);
    assertThat(rig.counted("unsupported")).isEqualTo(1);
  }

  @Test
  void whyThereIsNoConnectionIsSaidInTheReply() throws Exception {
    ProxyRig rig = rig(ProxyRig.start(Transport.best()));
    int closed = ReservedPort.untilTheEnd();
    assertThat(asked(rig, command(1, "127.0.0.1", closed))).as("refused").isEqualTo(5);
    assertThat(asked(rig, command(1, "no-such-host.invalid", 80))).as("unresolvable").isEqualTo(4);
    byte[] unknownType = command(1, "127.0.0.1", 80);
    unknownType[3] = 9;
    assertThat(asked(rig, unknownType)).as("type of address").isEqualTo(8);
    assertThat(asked(rig, command(1, "127.0.0.1", 0))).as("port 0").isEqualTo(1);
  }

  @Test
  void bytesBehindARequestThatFailsDoNotHideTheReply() throws Exception {
    ProxyRig rig = rig(ProxyRig.start(Transport.best()));
    int closed = ReservedPort.untilTheEnd();
    Socket client = opened(dial(rig.socks()));
    send(client, NO_LOGIN, command(1, "127.0.0.1", closed), random(1_000_000, 3));
    expect(client, CHOSEN_NO_LOGIN);
    assertThat(reply(client)).isEqualTo(5);
  }

  @Test
  void noRuleNoWay() throws Exception {
    ProxyRig rig =
        rig(
            ProxyRig.start(
                Transport.best(), 10, List.of(), List.of("*.example.org:443", "*:1"), null));
    assertThat(asked(rig, command(1, "example.com", 443))).isEqualTo(2);
    assertThat(asked(rig, command(1, "www.example.org", 80))).isEqualTo(2);
    assertThat(asked(rig, connectTo(InetAddress.getByName("192.0.2.1"), 443))).isEqualTo(2);
    assertThat(rig.counted("destination-refused")).isEqualTo(3);
  }

  @Test
  void aNameThatLeadsToTheRelaysOwnHostIsRefusedOnceItIsResolved() throws Exception {
    ProxyRig rig = rig(ProxyRig.start(Transport.best(), 10, List.of(), List.of("*"), null));
    assertThat(asked(rig, command(1, "localhost", rig.port()))).isEqualTo(2);
    assertThat(asked(rig, command(1, "127.1", rig.port()))).isEqualTo(2);
    assertThat(asked(rig, command(1, "2130706433", rig.port()))).isEqualTo(2);
    assertThat(asked(rig, connectTo(InetAddress.getByName("127.0.0.1"), rig.port()))).isEqualTo(2);
    assertThat(asked(rig, connectTo(InetAddress.getByName("169.254.169.254"), 80))).isEqualTo(2);
    assertThat(asked(rig, connectTo(InetAddress.getByName("::1"), rig.port()))).isEqualTo(2);
    rig.destination.setSoTimeout(1);
    org.assertj.core.api.Assertions.assertThatThrownBy(rig.destination::accept)
        .isInstanceOf(java.net.SocketTimeoutException.class);
  }

  @Test
  void whoeverMayNotComeIsResetBeforeAWord() throws Exception {
    ProxyRig rig =
        rig(
            ProxyRig.start(
                Transport.best(), 10, List.of("192.0.2.0/24"), List.of("127.0.0.0/8"), null));
    Socket client = opened(new Socket(rig.socks().getAddress(), rig.socks().getPort()));
    assertEnds(client);
    assertThat(rig.counted("source-refused")).isEqualTo(1);
  }

  @Test
  void userAndPasswordOpenTheDoor() throws Exception {
    ProxyRig rig = withLogin();
    for (int time = 0; time < 2; time++) { // the second is remembered
      Socket client = opened(dial(rig.socks()));
      send(client, WITH_LOGIN);
      expect(client, CHOSEN_LOGIN);
      send(client, login("ann", "secret"));
      expect(client, new byte[] {1, 0});
      send(client, command(1, "127.0.0.1", rig.port()));
      assertThat(reply(client)).isEqualTo(GRANTED);
    }
  }

  @Test
  void aHastyClientMaySendItsLoginItsRequestAndItsBytesAtOnce() throws Exception {
    ProxyRig rig = withLogin();
    Socket client = opened(dial(rig.socks()));
    send(
        client,
        WITH_LOGIN,
        login("ann", "secret"),
        command(1, "127.0.0.1", rig.port()),
        text("hasty"));
    expect(client, CHOSEN_LOGIN);
    expect(client, new byte[] {1, 0});
    assertThat(reply(client)).isEqualTo(GRANTED);
    expect(opened(rig.destination.accept()), text("hasty"));
  }

  @ParameterizedTest
  @CsvSource({"ann, wrong", "bob, secret", "ann, ''"})
  void anythingElseDoesNot(String user, String password) throws Exception {
    ProxyRig rig = withLogin();
    Socket client = opened(dial(rig.socks()));
    send(client, WITH_LOGIN, login(user, password), command(1, "127.0.0.1", rig.port()));
    expect(client, CHOSEN_LOGIN);
    byte[] verdict = client.getInputStream().readNBytes(2);
    assertThat(verdict[1]).isNotEqualTo((byte) 0);
    assertThat(client.getInputStream().read()).isEqualTo(-1);
    assertThat(rig.counted("unauthenticated")).isEqualTo(1);
  }

  @Test
  void aGreetingThatCannotBeServedIsAnswered() throws Exception {
    ProxyRig rig = rig(ProxyRig.start(Transport.best()));
    Socket withoutMethod = opened(dial(rig.socks()));
    send(withoutMethod, new byte[] {5, 0});
    expect(withoutMethod, new byte[] {5, (byte) 0xff});
    assertThat(withoutMethod.getInputStream().read()).isEqualTo(-1);
    Socket socks4 = opened(dial(rig.socks()));
    send(socks4, new byte[] {4, 1, 0, 80, 127, 0, 0, 1, 'm', 'e', 0});
    expect(socks4, new byte[] {0, 0x5b, 0, 0, 0, 0, 0, 0});
    assertThat(socks4.getInputStream().read()).isEqualTo(-1);
    assertThat(rig.counted("unsupported")).isEqualTo(2);
  }

  @Test
  void aClientThatOffersNoLoginIsToldSo() throws Exception {
    ProxyRig rig = withLogin();
    Socket client = opened(dial(rig.socks()));
    send(client, NO_LOGIN);
    expect(client, new byte[] {5, (byte) 0xff});
    assertThat(client.getInputStream().read()).isEqualTo(-1);
  }

  @Test
  void beyondItsMostStreamsTheRelaySaysSo() throws Exception {
    ProxyRig rig =
        rig(ProxyRig.start(Transport.best(), 1, List.of(), List.of("127.0.0.0/8"), null));
    Socket first = opened(rig.greeted());
    send(first, command(1, "127.0.0.1", rig.port()));
    assertThat(reply(first)).isEqualTo(GRANTED);
    assertThat(asked(rig, command(1, "127.0.0.1", rig.port()))).isEqualTo(1);
  }

  @ParameterizedTest
  @MethodSource("transports")
  void noiseNeverHangsAndNeverLeaks(Transport transport) throws Exception {
    // Noise may well ask for something: with a rule for one port it is looked at and goes nowhere.
    ProxyRig rig = rig(ProxyRig.start(transport, 10, List.of(), List.of("127.0.0.0/8:1"), null));
    Random random = new Random(7);
    for (int i = 0; i < 300; i++) {
      byte[] noise = new byte[1 + random.nextInt(600)];
      random.nextBytes(noise);
      if (random.nextBoolean()) {
        noise[0] = 5; // past the first look
      }
      if (noise.length > 8 && random.nextBoolean()) {
        System.arraycopy(new byte[] {5, 1, 0, 5, 1, 0}, 0, noise, 0, 6);
      }
      Socket client = dial(random.nextBoolean() ? rig.socks() : rig.connect());
      send(client, noise);
      client.shutdownOutput();
      assertEnds(client);
      client.close();
    }
    await().until(() -> rig.relay.pendingHandshakes() == 0);
  }

  private ProxyRig withLogin() throws IOException {
    Path users = folder.resolve("users");
    Files.writeString(users, "# who may come\n\nann:" + SECRET + "\n");
    return rig(ProxyRig.start(Transport.best(), 10, List.of(), List.of("127.0.0.0/8"), users));
  }

  private int asked(ProxyRig rig, byte[] command) throws IOException {
    Socket client = opened(rig.greeted());
    send(client, command);
    return reply(client);
  }

  /** Whatever comes, it ends. */
  private static void assertEnds(Socket client) throws IOException {
    try {
      client.getInputStream().readAllBytes();
    } catch (java.net.SocketTimeoutException e) {
      throw new AssertionError("the connection hangs", e);
    } catch (SocketException e) {
      // reset, which is an end as well
    }
  }

  private static void writeAndEnd(Socket to, byte[] bytes) {
    try {
      to.getOutputStream().write(bytes);
      to.shutdownOutput();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static byte[] random(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }
}
