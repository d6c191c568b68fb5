package io.cascade.api.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsServer;
import io.cascade.api.client.BoundedExchange.Bounds;
import io.cascade.api.identity.KeyPins;
import io.cascade.command.certificate.SelfSigned;
import io.cascade.command.names.NamedPeer;
import io.cascade.testing.ReservedPort;
import io.cascade.testing.SilentAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls of a name of two addresses. A day passes before the one that is silent is given up. */
@Timeout(60)
class AnsweringAddressesTest {
  private static final String NAME = "orchestrator.example";
  private static final String SILENT = "127.0.0.2";
  private static final InetAddress FIRST = InetAddress.ofLiteral(SILENT);
  private static final InetAddress SECOND = InetAddress.ofLiteral("127.0.0.1");
  private static final Duration DAY = Duration.ofDays(1);
  private static final Bounds LOOSE = new Bounds(DAY, 1 << 20);
  private static final char[] PASSWORD = "password".toCharArray();

  private final List<String> heard = Collections.synchronizedList(new ArrayList<>());

  @Test
  void aCallPassesOverAnAddressThatDoesNotAnswer() throws Exception {
    HttpServer server = serving(HttpServer.create(new InetSocketAddress(SECOND, 0), 0), 200);
    int port = server.getAddress().getPort();
    try (SilentAddress _ = new SilentAddress(SILENT, port)) {
      BoundedExchange called = new BoundedExchange(true, null, AnsweringAddressesTest::both, DAY);

      for (int i = 0; i < 2; i++) {
        assertThat(called.send(post("http", port), LOOSE))
            .isEqualTo(new BoundedExchange.Response(200, "sent"));
      }
    } finally {
      server.stop(0);
    }
    String call = "POST /path?a=%20b of " + NAME + ":" + port;
    assertThat(heard).containsExactly(call, call);
  }

  @Test
  void aPinnedServerIsStillCalledByItsName() throws Exception {
    KeyPair keys = SelfSigned.keys(new SecureRandom());
    HttpsServer server = HttpsServer.create(new InetSocketAddress(SECOND, 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(showing(keys)));
    serving(server, 200);
    int port = server.getAddress().getPort();
    ServerAddress address = ServerAddress.of(URI.create("https://" + NAME + ":" + port));
    KeyPins pins = KeyPins.of(keys.getPublic());
    try (SilentAddress _ = new SilentAddress(SILENT, port)) {
      BoundedExchange called =
          new BoundedExchange(
              true, new PinnedKeys(address, pins, null), AnsweringAddressesTest::both, DAY);

      assertThat(called.send(post("https", port), LOOSE).body()).isEqualTo("sent");
    } finally {
      server.stop(0);
    }
    assertThat(heard)
        .containsExactly("POST /path?a=%20b of " + NAME + ":" + port, "handshake of " + NAME);
  }

  @Test
  void aWebSocketPassesOverAnAddressThatDoesNotAnswer() throws Exception {
    HttpServer server = serving(HttpServer.create(new InetSocketAddress(SECOND, 0), 0), 403);
    int port = server.getAddress().getPort();
    URI at = URI.create("ws://" + NAME + ":" + port + "/control");
    try (SilentAddress _ = new SilentAddress(SILENT, port)) {
      BoundedExchange called = new BoundedExchange(true, null, AnsweringAddressesTest::both, DAY);

      assertThatThrownBy(() -> called.webSocket(at, null, new WebSocket.Listener() {}, DAY))
          .isInstanceOf(WebSocketHandshakeException.class);
    } finally {
      server.stop(0);
    }
    assertThat(heard).containsExactly("GET /control of " + NAME + ":" + port);
  }

  @Test
  void anotherAddressIsFoundOnceTheOneThatAnsweredRefuses() throws Exception {
    HttpServer first = serving(HttpServer.create(new InetSocketAddress(FIRST, 0), 0), 200);
    int port = first.getAddress().getPort();
    HttpServer second = serving(HttpServer.create(new InetSocketAddress(SECOND, port), 0), 201);
    BoundedExchange called = new BoundedExchange(true, null, AnsweringAddressesTest::both, DAY);
    try {
      assertThat(called.send(get(port), LOOSE).status()).isEqualTo(200);

      first.stop(0);

      assertThat(called.send(get(port), LOOSE).status()).isEqualTo(201);
    } finally {
      second.stop(0);
    }
  }

  @Test
  void theClientSaysWhyNoAddressAnswers() {
    int port = ReservedPort.untilTheEnd();
    BoundedExchange called = new BoundedExchange(true, null, AnsweringAddressesTest::both, DAY);
    assertThatThrownBy(() -> called.send(post("http", port), LOOSE))
        .isInstanceOf(IOException.class);
  }

  @Test
  void nothingIsChosenWhereThereIsOneAddress() throws Exception {
    AnsweringAddresses one =
        new AnsweringAddresses((_, port) -> new NamedPeer(List.of(FIRST), port), DAY);
    assertThat(one.quickest(URI.create("http://" + NAME))).isNull();

    AnsweringAddresses unused =
        new AnsweringAddresses(
            (host, _) -> {
              throw new AssertionError(host + " is no name");
            },
            DAY);
    assertThat(unused.quickest(URI.create("http://192.0.2.1:7400"))).isNull();
    assertThat(unused.quickest(URI.create("https://[2001:db8::1]"))).isNull();
  }

  @Test
  void anAddressTakesThePlaceOfTheNameAlone() {
    URI named = URI.create("wss://" + NAME + "/a%2Fb?c=%26d");

    assertThat(AnsweringAddresses.at(FIRST, named)).hasToString("wss://127.0.0.2:443/a%2Fb?c=%26d");
    assertThat(AnsweringAddresses.at(InetAddress.ofLiteral("2001:db8::1"), named))
        .hasToString("wss://[2001:db8:0:0:0:0:0:1]:443/a%2Fb?c=%26d");
    assertThat(AnsweringAddresses.host(named)).isEqualTo(NAME);
  }

  private static NamedPeer both(String host, int port) {
    assertThat(host).isEqualTo(NAME);
    return new NamedPeer(List.of(FIRST, SECOND), port);
  }

  private static HttpRequest post(String scheme, int port) {
    return BoundedExchange.request(URI.create(scheme + "://" + NAME + ":" + port + "/path?a=%20b"))
        .POST(BodyPublishers.ofString("sent"))
        .build();
  }

  /** The JDK's client asks again by itself where a connection that was kept has ended. */
  private static HttpRequest get(int port) {
    return BoundedExchange.request(URI.create("http://" + NAME + ":" + port)).build();
  }

  private <S extends HttpServer> S serving(S server, int status) {
    server.createContext("/", exchange -> answer(exchange, status));
    server.start();
    return server;
  }

  /** With the request's own body. */
  private void answer(HttpExchange exchange, int status) throws IOException {
    try (exchange) {
      heard.add(
          exchange.getRequestMethod()
              + " "
              + exchange.getRequestURI()
              + " of "
              + exchange.getRequestHeaders().getFirst("Host"));
      if (exchange instanceof HttpsExchange encrypted
          && encrypted.getSSLSession() instanceof ExtendedSSLSession session) {
        session.getRequestedServerNames().stream()
            .map(name -> "handshake of " + ((SNIHostName) name).getAsciiName())
            .forEach(heard::add);
      }
      byte[] body = exchange.getRequestBody().readAllBytes();
      exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
      if (body.length > 0) {
        exchange.getResponseBody().write(body);
      }
    }
  }

  private static SSLContext showing(KeyPair keys) throws Exception {
    X509Certificate certificate =
        SelfSigned.certificate(keys, "test", List.of(), new SecureRandom());
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry("key", keys.getPrivate(), PASSWORD, new X509Certificate[] {certificate});
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(store, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }
}
