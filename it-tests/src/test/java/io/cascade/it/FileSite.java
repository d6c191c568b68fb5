package io.cascade.it;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.cascade.lab.Site;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.Executors;

/**
 * A web server at a lab's site, which knows who came last: {@code GET /N} answers with N bytes,
 * {@code PUT} with the digest of what it got.
 */
final class FileSite implements AutoCloseable {
  private final String host;
  private final HttpServer server;
  private volatile String lastClient = "";

  private FileSite(String host, HttpServer server) {
    this.host = host;
    this.server = server;
  }

  static FileSite at(Site site) throws Exception {
    HttpServer server = site.call(() -> HttpServer.create(new InetSocketAddress("0.0.0.0", 0), 50));
    FileSite made = new FileSite(site.name(), server);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", made::answer);
    server.start();
    return made;
  }

  /** HOST:PORT, the host a name that every site knows. */
  String address() {
    return host + ":" + server.getAddress().getPort();
  }

  /** The address that the last request came from. */
  String lastClient() {
    return lastClient;
  }

  /** The same at every call. */
  static byte[] content(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      lastClient = exchange.getRemoteAddress().getAddress().getHostAddress();
      byte[] body = exchange.getRequestBody().readAllBytes();
      byte[] answer =
          exchange.getRequestMethod().equals("GET")
              ? content(Integer.parseInt(exchange.getRequestURI().getPath().substring(1)))
              : sha256(body).getBytes(StandardCharsets.US_ASCII);
      exchange.sendResponseHeaders(200, answer.length);
      exchange.getResponseBody().write(answer);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
