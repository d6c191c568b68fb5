package io.cascade.relay.destination;

import io.cascade.api.HostPort;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * The reason why this relay may not connect to an address.
 *
 * @param destination address and port
 * @param rule the kind of address, such as "a private address (RFC 1918)"
 * @param opening value of {@code --allow-destination} that would allow it; null if none would
 */
public record AddressRefusal(String destination, String rule, @Nullable String opening) {

  static AddressRefusal openedByRule(InetAddress address, int port, String rule) {
    String destination = text(address, port);
    return new AddressRefusal(destination, rule, destination);
  }

  static AddressRefusal notOpened(InetAddress address, int port, String rule) {
    return new AddressRefusal(text(address, port), rule, null);
  }

  /** One line that names the destination, the rule and the fix. */
  public String text() {
    return destination
        + " is "
        + rule
        + (opening == null
            ? ", to which no chain may connect"
            : "; fix: start this relay with --allow-destination '" + opening + "'");
  }

  private static String text(InetAddress address, int port) {
    String host = address.getHostAddress();
    int scope = host.indexOf('%');
    return new HostPort(scope < 0 ? host : host.substring(0, scope), port).toString();
  }
}
