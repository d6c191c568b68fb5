package io.cascade.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class LocalRequestsTest {
  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "localhost",
        "LocalHost:7412",
        "127.0.0.1",
        "127.0.0.1:7412",
        "192.0.2.1:80",
        "[::1]",
        "[::1]:7412",
        "::1",
        "[fe80::1%25eth0]:80"
      })
  void addressesAndLocalhostAreLocal(@Nullable String host) {
    assertThat(LocalRequests.isLocal(host)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "evil.example:7412",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "127.0.0.1.evil.example:7412",
        "bad.ac:7412",
        "bad.ac",
        "localhost:7412.evil.example",
        "[::1].evil.example",
        "127.0.0.1:80@evil.example",
        ""
      })
  void namesAreForeign(String host) {
    assertThat(LocalRequests.isLocal(host)).isFalse();
  }

  @Test
  void theFilterAnswersProgramsAndNoWebPages() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server
        .createContext(
            "/",
            exchange -> {
              try (exchange) {
                exchange.sendResponseHeaders(204, -1);
              }
            })
        .getFilters()
        .add(new LocalRequests());
    server.start();
    try {
      int port = server.getAddress().getPort();
      assertThat(status(port, "Host: 127.0.0.1:" + port)).startsWith("HTTP/1.1 204");
      assertThat(status(port, "Host: localhost")).startsWith("HTTP/1.1 204");
      assertThat(status(port, "Host: evil.example")).startsWith("HTTP/1.1 421");
      assertThat(status(port, "Host: localhost\r\nHost: evil.example")).startsWith("HTTP/1.1 421");
      assertThat(status(port, "Host: localhost\r\nOrigin: null")).startsWith("HTTP/1.1 403");
    } finally {
      server.stop(0);
    }
  }

  private static String status(int port, String headers) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket
          .getOutputStream()
          .write(
              ("GET / HTTP/1.1\r\n" + headers + "\r\nConnection: close\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
