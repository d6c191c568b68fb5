package io.cascade.client.verbs;

import io.cascade.kernel.ServiceNotice;
import java.io.IOException;

/** Notifies a service manager such as systemd of the state of a verb that runs as a service. */
final class ServiceReadiness {
  private ServiceReadiness() {}

  /**
   * Notifies the service manager, if there is one.
   *
   * @param notice such as {@link ServiceNotice#READY}
   */
  static void tell(String notice, Output output) {
    String address = System.getenv(ServiceNotice.VARIABLE);
    if (address == null) {
      return;
    }
    try {
      ServiceNotice.send(address, notice);
    } catch (IOException e) {
      output.note("the service manager was not notified of " + notice + ": " + e.getMessage());
    }
  }
}
