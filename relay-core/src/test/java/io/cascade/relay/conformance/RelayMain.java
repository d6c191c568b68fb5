package io.cascade.relay.conformance;

import io.cascade.carriage.LeakWatch;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.HopSecurity;
import io.cascade.relay.Hops;
import io.cascade.relay.RelayNode;
import io.cascade.relay.TestRelay;
import io.cascade.relay.pump.PumpMode;
import java.util.Locale;

/**
 * A relay as a process of its own: transport, pump, hops, memory budget and name are its arguments.
 * Says where it listens; when its input ends, it stops and fails if a buffer has leaked.
 */
final class RelayMain {
  private RelayMain() {}

  public static void main(String[] arguments) throws Exception {
    LeakWatch.start();
    Hops hops = Hops.valueOf(arguments[2]);
    RelayNode relay =
        TestRelay.on(Transport.valueOf(arguments[0].toUpperCase(Locale.ROOT)))
            .pump(PumpMode.valueOf(arguments[1].toUpperCase(Locale.ROOT)))
            .hops(hops.areEncrypted() ? HopSecurity.TLS : HopSecurity.PLAIN)
            .tls(hops.library())
            .memory(Long.parseLong(arguments[3]))
            .start(arguments[4]);
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
