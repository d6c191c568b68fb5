package io.cascade.orchestrator.web;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.apache.catalina.Context;
import org.apache.catalina.Globals;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class WholeRequestsTest {
  private final Tomcat tomcat = new Tomcat();
  private final CountDownLatch cutOff = new CountDownLatch(1);

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    tomcat.setBaseDir(folder.toString());
    // Otherwise the folder of the process's first Tomcat is made anew, which was deleted since.
    System.setProperty(Globals.CATALINA_HOME_PROP, folder.toString());
    Connector connector = new Connector(new WholeRequests(Duration.ofMillis(20), 5));
    connector.setProperty("address", InetAddress.getLoopbackAddress().getHostAddress());
    connector.setPort(0);
    tomcat.setConnector(connector);
    Context context = tomcat.addContext("", folder.toString());
    Tomcat.addServlet(context, "slow", new Slow());
    context.addServletMapping("/", "slow");
    tomcat.start();
  }

  @AfterEach
  void stop() throws Exception {
    tomcat.stop();
    tomcat.destroy();
  }

  @Test
  void headersThatTrickleAreCutOff() throws Exception {
    trickle("GET / HTTP/1.1\r\nHost: o\r\n", "a: b\r\n");
  }

  @Test
  void aRequestLineThatTricklesIsCutOff() throws Exception {
    trickle("GET /", "x");
  }

  @Test
  void theRestOfABodyThatNobodyReadsIsCutOff() throws Exception {
    trickle("POST /unread HTTP/1.1\r\nHost: o\r\nContent-Length: 100000\r\n\r\n", "x");
  }

  /** An answer may take longer than the deadline, and the connection may rest before the next. */
  @Test
  void whatIsWholeIsAnswered() throws Exception {
    try (Socket socket = connect()) {
      for (int i = 0; i < 2; i++) {
        send(socket, "GET /late HTTP/1.1\r\nHost: o\r\n\r\n");
        byte[] answer = socket.getInputStream().readNBytes("HTTP/1.1 200".length());
        assertThat(new String(answer, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 200");
        while (socket.getInputStream().read() != '!') {}
        Thread.sleep(200); // several sweeps
      }
    }
  }

  private void trickle(String start, String more) throws Exception {
    try (Socket socket = connect()) {
      send(socket, start);
      Thread reader = Thread.ofVirtual().start(() -> awaitEnd(socket));
      try {
        while (reader.isAlive()) {
          send(socket, more);
          Thread.sleep(5);
        }
      } catch (IOException e) {
        // Cut off while it was sending.
      }
      cutOff.await();
    }
  }

  private void awaitEnd(Socket socket) {
    try {
      while (socket.getInputStream().read() >= 0) {}
    } catch (IOException e) {
      // A reset is an end, too.
    }
    cutOff.countDown();
  }

  private Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), tomcat.getConnector().getLocalPort());
  }

  private static void send(Socket socket, String octets) throws IOException {
    socket.getOutputStream().write(octets.getBytes(StandardCharsets.US_ASCII));
  }

  private static final class Slow extends HttpServlet {
    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      if (request.getRequestURI().equals("/late")) {
        try {
          Thread.sleep(350); // several sweeps
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      response.getOutputStream().print("!");
    }
  }
}
