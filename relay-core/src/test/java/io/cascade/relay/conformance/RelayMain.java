package io.cascade.relay.conformance;

import io.cascade.relay.HopSecurity;
import io.cascade.relay.LeakWatch;
import io.cascade.relay.RelayNode;
import io.cascade.relay.TestRelay;
import io.cascade.relay.transport.Transport;
import java.util.Locale;

/**
 * A relay as a process of its own: transport, memory budget and name are its arguments. Says where
 * it listens; when its input ends, it stops and fails if a buffer has leaked.
 */
final class RelayMain {
  private RelayMain() {}

  public static void main(String[] arguments) throws Exception {
    LeakWatch.start();
    RelayNode relay =
        TestRelay.on(Transport.valueOf(arguments[0].toUpperCase(Locale.ROOT)))
            .hops(HopSecurity.PLAIN)
            .memory(Long.parseLong(arguments[1]))
            .start(arguments[2]);
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
