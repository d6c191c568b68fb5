package io.cascade.relay;

import io.cascade.carriage.transport.Transport;
import io.cascade.relay.proxy.ProxySettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A relay with both proxies on loopback, a destination, and clients that write bytes by hand. */
final class ProxyRig implements AutoCloseable {
  static final byte[] NO_LOGIN = {5, 1, 0};
  static final byte[] WITH_LOGIN = {5, 1, 2};
  static final byte[] CHOSEN_NO_LOGIN = {5, 0};
  static final byte[] CHOSEN_LOGIN = {5, 2};
  static final int GRANTED = 0;

  final RelayNode relay;
  final ServerSocket destination;

  private ProxyRig(RelayNode relay, ServerSocket destination) {
    this.relay = relay;
    this.destination = destination;
  }

  static ProxyRig start(Transport transport) throws IOException {
    return start(transport, 10_000, List.of(), List.of("*", "127.0.0.0/8"), null);
  }

  static ProxyRig start(
      Transport transport,
      int maxStreams,
      List<String> sources,
      List<String> destinations,
      @Nullable Path credentials)
      throws IOException {
    return start(
        TestRelay.on(transport).maxStreams(maxStreams), sources, destinations, credentials);
  }

  static ProxyRig start(
      TestRelay with, List<String> sources, List<String> destinations, @Nullable Path credentials)
      throws IOException {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0);
    RelayNode relay =
        with.proxies(new ProxySettings(any, any, sources, destinations, credentials)).start("r0");
    return new ProxyRig(relay, new ServerSocket(0, 50, any.getAddress()));
  }

  InetSocketAddress socks() {
    return Objects.requireNonNull(relay.socksAddress());
  }

  InetSocketAddress connect() {
    return Objects.requireNonNull(relay.connectAddress());
  }

  int port() {
    return destination.getLocalPort();
  }

  static Socket dial(InetSocketAddress at) throws IOException {
    Socket socket = new Socket();
    socket.connect(at, (int) TestChain.PATIENCE.toMillis());
    socket.setSoTimeout((int) TestChain.PATIENCE.toMillis());
    return socket;
  }

  /** A client that has been let in without a login. */
  Socket greeted() throws IOException {
    Socket client = dial(socks());
    send(client, NO_LOGIN);
    expect(client, CHOSEN_NO_LOGIN);
    return client;
  }

  /** RFC 1928 section 4: command 1 is CONNECT; the name is for the relay to resolve. */
  static byte[] command(int command, String host, int port) {
    byte[] name = host.getBytes(StandardCharsets.US_ASCII);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {5, (byte) command, 0, 3, (byte) name.length});
    out.writeBytes(name);
    out.write(port >> 8);
    out.write(port);
    return out.toByteArray();
  }

  /** An IPv4 address in the place of a name. */
  static byte[] connectTo(InetAddress address, int port) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] bytes = address.getAddress();
    out.writeBytes(new byte[] {5, 1, 0, (byte) (bytes.length == 4 ? 1 : 4)});
    out.writeBytes(bytes);
    out.write(port >> 8);
    out.write(port);
    return out.toByteArray();
  }

  /** RFC 1929. */
  static byte[] login(String user, String password) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(1);
    out.write(user.length());
    out.writeBytes(user.getBytes(StandardCharsets.US_ASCII));
    out.write(password.length());
    out.writeBytes(password.getBytes(StandardCharsets.US_ASCII));
    return out.toByteArray();
  }

  static void send(Socket to, byte[]... parts) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    OutputStream out = to.getOutputStream();
    out.write(all.toByteArray());
    out.flush();
  }

  static void expect(Socket from, byte[] bytes) throws IOException {
    byte[] got = from.getInputStream().readNBytes(bytes.length);
    org.assertj.core.api.Assertions.assertThat(got).isEqualTo(bytes);
  }

  /** Reads the reply to a command and gives its code. */
  static int reply(Socket from) throws IOException {
    byte[] reply = from.getInputStream().readNBytes(10);
    org.assertj.core.api.Assertions.assertThat(reply).hasSize(10);
    org.assertj.core.api.Assertions.assertThat(reply[0]).isEqualTo((byte) 5);
    return reply[1];
  }

  /** Up to the empty line. */
  static String head(Socket from) throws IOException {
    InputStream in = from.getInputStream();
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    String text = "";
    for (int next = in.read(); next >= 0; next = in.read()) {
      head.write(next);
      text = head.toString(StandardCharsets.US_ASCII);
      if (text.endsWith("\r\n\r\n")) {
        break;
      }
    }
    return text;
  }

  static byte[] text(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  static byte[] request(String host, int port) {
    return text("CONNECT " + host + ":" + port + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
  }

  /** How many handshakes have come to {@code outcome}, as the metrics say. */
  double counted(String outcome) throws IOException, InterruptedException {
    String metrics =
        java.net.http.HttpClient.newHttpClient()
            .send(
                java.net.http.HttpRequest.newBuilder(
                        java.net.URI.create(
                            "http://127.0.0.1:"
                                + relay.controlAddress().getPort()
                                + "/control/v1/metrics"))
                    .build(),
                java.net.http.HttpResponse.BodyHandlers.ofString())
            .body();
    return metrics
        .lines()
        .filter(line ->
            line.startsWith("cascade_relay_proxy_handshakes_total")
                && line.contains("reason=\"" + outcome + "\""))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  @Override
  public void close() throws IOException {
    relay.close();
    destination.close();
  }
}
