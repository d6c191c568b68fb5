package io.cascade.gateway.tunnel;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class MetricsServerTest {
  @Test
  @Timeout(20)
  void aCallerThatNeverEndsItsRequestKeepsNobodyElseWaiting() throws Exception {
    try (MetricsServer server =
            MetricsServer.serve(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                () -> {
                  throw new IllegalStateException("not asked");
                });
        Socket slow = new Socket(InetAddress.getLoopbackAddress(), server.port());
        HttpClient http = HttpClient.newHttpClient()) {
      slow.getOutputStream()
          .write(
              "GET /metrics HTTP/1.1\r\nHost: localhost\r\n".getBytes(StandardCharsets.US_ASCII));

      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/metrics"))
              .DELETE()
              .build();
      assertThat(http.send(request, BodyHandlers.discarding()).statusCode()).isEqualTo(405);
    }
  }
}
