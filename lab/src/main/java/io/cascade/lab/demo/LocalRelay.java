package io.cascade.lab.demo;

import io.cascade.lab.process.CascadeProcess;
import java.util.regex.Matcher;

/**
 * A relay of the demonstration over loopback.
 *
 * @param control address of its control endpoint
 * @param hop address where other relays connect
 */
record LocalRelay(String name, String control, String hop, long pid) {
  /** Reads the data of a relay that serves. */
  static LocalRelay of(CascadeProcess relay) {
    Matcher ready = relay.awaitReady();
    return new LocalRelay(relay.name(), ready.group(2), ready.group(3), relay.process().pid());
  }
}
