package io.cascade.gateway.tunnel;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Links and addresses of sockets in the notation of the command line. */
final class LinkText {
  static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,31}");

  private static final Pattern DIAL = Pattern.compile("([^=,]+)=([^,]+),key=(.+)");
  private static final Pattern ACCEPT = Pattern.compile("([^=,]+),key=(.+)");
  private static final Pattern SOCKET = Pattern.compile("(?:(.*):)?([0-9]{1,5})");

  private LinkText() {}

  /**
   * @throws IllegalArgumentException naming what is expected
   */
  static LinkSettings dial(String text) {
    Matcher form = DIAL.matcher(text);
    if (!form.matches() || !NAME.matcher(form.group(1)).matches()) {
      throw new IllegalArgumentException("'" + text + "' (expected: NAME=ADDRESS:PORT,key=FILE)");
    }
    InetSocketAddress remote = socket(form.group(2));
    if (remote.getAddress().isAnyLocalAddress()) {
      throw new IllegalArgumentException(
          "'" + text + "' (expected: the other gateway's address before the port)");
    }
    return new LinkSettings(form.group(1), remote, Path.of(form.group(3)));
  }

  /**
   * @throws IllegalArgumentException naming what is expected
   */
  static LinkSettings accept(String text) {
    Matcher form = ACCEPT.matcher(text);
    if (!form.matches() || !NAME.matcher(form.group(1)).matches()) {
      throw new IllegalArgumentException("'" + text + "' (expected: NAME,key=FILE)");
    }
    return new LinkSettings(form.group(1), null, Path.of(form.group(2)));
  }

  /**
   * An address and a port, or a port alone.
   *
   * @throws IllegalArgumentException naming what is expected
   */
  static InetSocketAddress socket(String text) {
    Matcher form = SOCKET.matcher(text);
    int port = form.matches() ? Integer.parseInt(form.group(2)) : 0;
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException(
          "'" + text + "' (expected: ADDRESS:PORT such as 192.0.2.1:7800)");
    }
    String host = form.group(1);
    InetSocketAddress socket =
        host == null ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
    if (socket.isUnresolved()) {
      throw new IllegalArgumentException("'" + text + "': no such host");
    }
    return socket;
  }
}
