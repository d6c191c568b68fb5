package io.cascade.relay;

import static io.cascade.relay.ProxyRig.dial;
import static io.cascade.relay.ProxyRig.expect;
import static io.cascade.relay.ProxyRig.head;
import static io.cascade.relay.ProxyRig.request;
import static io.cascade.relay.ProxyRig.send;
import static io.cascade.relay.ProxyRig.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.carriage.transport.Transport;
import io.cascade.testing.ReservedPort;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP CONNECT as clients meet it, on real sockets. */
@Timeout(60)
class ConnectPortTest extends ProxyPortTest {
  @ParameterizedTest
  @MethodSource("transports")
  void bytesBehindTheRequestAreTheStreamsFirst(Transport transport) throws Exception {
    ProxyRig rig = rig(ProxyRig.start(transport));
    Socket client = opened(dial(rig.connect()));
    send(client, request("localhost", rig.port()), text("GET / HTTP/1.1\r\n\r\n"));
    Socket server = opened(rig.destination.accept());
    expect(server, text("GET / HTTP/1.1\r\n\r\n"));
    assertThat(head(client)).startsWith("HTTP/1.1 200 ");
    send(server, text("answer"));
    server.shutdownOutput();
    assertThat(client.getInputStream().readAllBytes()).isEqualTo(text("answer"));
    send(client, text("after the end of the other way"));
    client.shutdownOutput();
    assertThat(server.getInputStream().readAllBytes())
        .isEqualTo(text("after the end of the other way"));
    assertThat(rig.counted("direct")).isEqualTo(1);
  }

  @Test
  void successIsSaidOnlyOfAConnectionThatIsUp() throws Exception {
    ProxyRig rig = rig(ProxyRig.start(Transport.best()));
    int closed = ReservedPort.untilTheEnd();
    assertThat(answer(rig, request("127.0.0.1", closed)))
        .startsWith("HTTP/1.1 502 Bad Gateway")
        .contains("the destination refused the connection");
    assertThat(answer(rig, request("no-such-host.invalid", 80)))
        .startsWith("HTTP/1.1 502 ")
        .contains("no address");
  }

  @Test
  void whereNobodyMayGoIsForbidden() throws Exception {
    ProxyRig rig = rig(ProxyRig.start(Transport.best(), 10, List.of(), List.of("*"), null));
    assertThat(answer(rig, request("169.254.169.254", 80))).startsWith("HTTP/1.1 403 ");
    assertThat(answer(rig, request("[::1]", 80))).startsWith("HTTP/1.1 403 ");
    assertThat(answer(rig, request("[::ffff:127.0.0.1]", 80))).startsWith("HTTP/1.1 403 ");
    assertThat(answer(rig, request("localhost", rig.port()))).startsWith("HTTP/1.1 403 ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n|405",
        "CONNECT localhost HTTP/1.1\r\nHost: a\r\n\r\n|400",
        "CONNECT localhost:0 HTTP/1.1\r\nHost: a\r\n\r\n|400",
        "CONNECT a b:80 HTTP/1.1\r\nHost: a\r\n\r\n|400",
        "CONNECT localhost:80 HTTP/1.1\r\n\r\n|400",
        "CONNECT localhost:80 HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n|400",
        "CONNECT localhost:80 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc|400",
        "CONNECT localhost:80 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n|400",
        "nonsense\r\n\r\n|400"
      })
  void whatIsNoConnectRequestGetsAnAnswer(String requestAndStatus) throws Exception {
    int bar = requestAndStatus.lastIndexOf('|');
    ProxyRig rig = rig(ProxyRig.start(Transport.best()));
    assertThat(answer(rig, text(requestAndStatus.substring(0, bar))))
        .startsWith("HTTP/1.1 " + requestAndStatus.substring(bar + 1) + " ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CONNECT 127.0.0.1:%d HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
        "CONNECT 127.0.0.1:%d HTTP/1.0\r\n\r\n"
      })
  void whatClientsSendBesidesIsTaken(String request) throws Exception {
    ProxyRig rig = rig(ProxyRig.start(Transport.best()));
    Socket client = opened(dial(rig.connect()));

    send(client, text(request.formatted(rig.port())), text("hasty"));

    assertThat(head(client)).startsWith("HTTP/1.1 200 ");
    expect(opened(rig.destination.accept()), text("hasty"));
  }

  @Test
  void aHeadWithoutAnEndIsCutOff() throws Exception {
    ProxyRig rig = rig(ProxyRig.start(Transport.best()));
    assertThat(answer(rig, text("CONNECT " + "a".repeat(5_000) + ":80 HTTP/1.1\r\n")))
        .startsWith("HTTP/1.1 414 ");
    assertThat(
            answer(rig, text("CONNECT localhost:80 HTTP/1.1\r\nX: " + "a".repeat(20_000) + "\r\n")))
        .startsWith("HTTP/1.1 431 ");
  }

  @Test
  void userAndPasswordOpenTheDoor() throws Exception {
    Path users = folder.resolve("users");
    Files.writeString(users, "ann:" + SECRET + "\n");
    ProxyRig rig =
        rig(ProxyRig.start(Transport.best(), 10, List.of(), List.of("127.0.0.0/8"), users));
    assertThat(answer(rig, request("127.0.0.1", rig.port())))
        .startsWith("HTTP/1.1 407 ")
        .contains("Proxy-Authenticate: Basic");
    assertThat(answer(rig, withLogin(rig.port(), "ann:wrong"))).startsWith("HTTP/1.1 407 ");
    assertThat(answer(rig, withLogin(rig.port(), "no colon"))).startsWith("HTTP/1.1 407 ");
    Socket client = opened(dial(rig.connect()));
    send(client, withLogin(rig.port(), "ann:secret"), text("hasty"));
    assertThat(head(client)).startsWith("HTTP/1.1 200 ");
    expect(opened(rig.destination.accept()), text("hasty"));
  }

  private static byte[] withLogin(int port, String pair) {
    String encoded = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.US_ASCII));
    return text(
        "CONNECT 127.0.0.1:%d HTTP/1.1\r\nHost: a\r\nProxy-Authorization: Basic %s\r\n\r\n"
            .formatted(port, encoded));
  }

  /** All that comes until the end. */
  private String answer(ProxyRig rig, byte[] request) throws IOException {
    Socket client = opened(dial(rig.connect()));
    send(client, request);
    return new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
  }
}
