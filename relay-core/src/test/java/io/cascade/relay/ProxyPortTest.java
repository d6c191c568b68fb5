package io.cascade.relay;

import io.cascade.carriage.LeakWatch;
import io.cascade.carriage.transport.Transport;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** What tests of both proxy protocols need: rigs and sockets that are closed, and no leak. */
abstract class ProxyPortTest {
  /** {@code secret}, by {@code openssl passwd -6 -salt saltsalt}. */
  static final String SECRET =
      "$6$saltsalt$TVLlQcbpFVof5W3Yz4DTP6gRstiNuHwwTt6GLc"
          + "1E5n0U0aDehy0S5knV8wiOQSpT0Y77vwPZN.Pq.H91p5hVO1";

  @TempDir Path folder;
  private final List<AutoCloseable> opened = new ArrayList<>();

  static Stream<Transport> transports() {
    return Stream.of(Transport.values()).filter(Transport::available);
  }

  @BeforeEach
  final void watchForLeaks() {
    LeakWatch.start();
  }

  @AfterEach
  final void close() throws Exception {
    for (AutoCloseable one : opened.reversed()) {
      one.close();
    }
    LeakWatch.assertNothingLeaks();
  }

  final ProxyRig rig(ProxyRig rig) {
    opened.add(rig);
    return rig;
  }

  final Socket opened(Socket socket) {
    opened.add(socket);
    return socket;
  }
}
