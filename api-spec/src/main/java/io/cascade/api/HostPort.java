package io.cascade.api;

/**
 * A host and a port as people write them: {@code name:443}, {@code 10.0.0.1:22}, {@code
 * [2001:db8::1]:80}.
 *
 * @param host a name or an address, without brackets
 * @param port 1 to 65535
 */
public record HostPort(String host, int port) {
  public HostPort {
    if (host.isBlank()) {
      throw new IllegalArgumentException("host: empty (expected: a name or an address)");
    }
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("port: " + port + " (expected: 1 to 65535)");
    }
  }

  /**
   * @throws IllegalArgumentException naming what is wrong and what is expected
   */
  public static HostPort parse(String text) {
    int colon = text.lastIndexOf(':');
    boolean bracketed = text.startsWith("[");
    if (colon < 1 || (bracketed && text.charAt(colon - 1) != ']')) {
      throw new IllegalArgumentException("'" + text + "': no port (expected: HOST:PORT)");
    }
    String host = bracketed ? text.substring(1, colon - 1) : text.substring(0, colon);
    if (!bracketed && host.indexOf(':') >= 0) {
      throw new IllegalArgumentException(
          "'" + text + "': an IPv6 address needs brackets (expected: [ADDRESS]:PORT)");
    }
    try {
      return new HostPort(host, Integer.parseInt(text.substring(colon + 1)));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "'" + text + "': the port is not a number (expected: HOST:PORT)", e);
    }
  }

  @Override
  public String toString() {
    return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
  }
}
