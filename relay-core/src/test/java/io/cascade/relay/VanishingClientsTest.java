package io.cascade.relay;

import static io.cascade.relay.ProxyRig.NO_LOGIN;
import static io.cascade.relay.ProxyRig.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.carriage.transport.Transport;
import java.io.File;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Clients whose processes are killed, most of them before they have said anything. */
@Timeout(90)
@EnabledOnOs(OS.LINUX)
class VanishingClientsTest extends ProxyPortTest {
  private static final int CLIENTS = 500;

  /** The JDK and Netty open some for themselves meanwhile. */
  private static final int OTHERS = 20;

  @ParameterizedTest
  @MethodSource("transports")
  void fiveHundredOfThemLeaveNoDescriptorBehind(Transport transport) throws Exception {
    ProxyRig rig = rig(ProxyRig.start(transport));
    int before = descriptors();
    List<Socket> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      Socket client = new Socket();
      clients.add(client);
      tryToConnect(client, rig, i % 3 == 0);
    }
    assertThat(descriptors()).isGreaterThan(before + CLIENTS / 2);

    for (Socket client : clients) {
      if (!client.isClosed()) {
        client.setSoLinger(true, 0); // as the kernel does for a process that had more to read
        client.close();
      }
    }

    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> {
          assertThat(rig.relay.pendingHandshakes()).isZero();
          assertThat(descriptors()).isLessThanOrEqualTo(before + OTHERS);
        });
  }

  private static void tryToConnect(Socket client, ProxyRig rig, boolean greeting) {
    try {
      client.connect(rig.socks(), (int) TestChain.PATIENCE.toMillis());
      if (greeting) {
        send(client, NO_LOGIN);
      }
    } catch (IOException e) {
      // One source may have so many handshakes at a time: the others are
      // reset, some of them before their connect() has returned.
    }
  }

  private static int descriptors() {
    return Objects.requireNonNull(new File("/proc/self/fd").list()).length;
  }
}
