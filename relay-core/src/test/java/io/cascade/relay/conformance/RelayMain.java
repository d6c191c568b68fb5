package io.cascade.relay.conformance;

import io.cascade.relay.HopSecurity;
import io.cascade.relay.LeakWatch;
import io.cascade.relay.RelayNode;
import io.cascade.relay.RelaySettings;
import io.cascade.relay.proxy.ProxySettings;
import io.cascade.relay.pump.PumpMode;
import io.cascade.relay.tls.TlsLibrary;
import io.cascade.relay.transport.Transport;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/**
 * A relay as a process of its own: transport, memory budget and name are its arguments. Says where
 * it listens; when its input ends, it stops and fails if a buffer has leaked.
 */
final class RelayMain {
  private RelayMain() {}

  public static void main(String[] arguments) throws Exception {
    LeakWatch.start();
    InetAddress loopback = InetAddress.getByName("127.0.0.1");
    RelayNode relay =
        RelayNode.start(
            new RelaySettings(
                arguments[2],
                "desk",
                loopback,
                "127.0.0.1",
                0,
                0,
                null,
                null,
                null,
                Transport.valueOf(arguments[0].toUpperCase(Locale.ROOT)),
                PumpMode.AUTO,
                HopSecurity.PLAIN,
                TlsLibrary.AUTO,
                2,
                Long.parseLong(arguments[1]),
                10_000,
                Path.of(System.getProperty("java.io.tmpdir", "/tmp"), "cascade-test-spool"),
                null,
                null,
                Duration.ZERO,
                null,
                ProxySettings.NONE));
    System.out.println(
        "ready " + relay.controlAddress().getPort() + " " + relay.hopAddress().getPort());
    while (System.in.read() >= 0) {
      // until it ends
    }
    relay.close();
    LeakWatch.assertNothingLeaks();
    System.out.println("nothing leaked");
    System.exit(0);
  }
}
