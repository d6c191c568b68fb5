package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client tests its own ways to relays that are processes. */
@Timeout(120)
class ClientLegTest {
  @TempDir private Path folder;

  @Test
  void needsNobodyAtTheDestination() throws Exception {
    try (Cluster cluster = Cluster.start(folder);
        ServerSocket destination = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> closeAll(destination));
      try (Verb plan =
          cluster.verb(
              "plan",
              "--to",
              "127.0.0.1:" + destination.getLocalPort(),
              "--probes",
              "5",
              "--test",
              "1")) {
        assertThat(plan.await()).as(plan.text()).isZero();
        assertThat(plan.text())
            .containsPattern("testing the way to r[1-3] for 1 s")
            .doesNotContainPattern("the way to r[1-3] was not tested")
            .doesNotContain("the rate was not reported");
      }
    }
  }

  /** No receiver: it takes connections and says nothing. */
  private static void closeAll(ServerSocket destination) {
    try {
      while (true) {
        Socket client = destination.accept();
        client.close();
      }
    } catch (IOException e) {
      return; // The test is over.
    }
  }
}
