package io.cascade.gateway.tunnel;

import io.cascade.packets.header.IpAddress;
import io.cascade.packets.header.IpPrefix;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses addresses and prefixes; never names. */
final class PrefixText {
  private static final Pattern FORM = Pattern.compile("([0-9a-fA-F:.]+)(?:/([0-9]{1,3}))?");

  private PrefixText() {}

  /**
   * @throws IllegalArgumentException naming what is expected
   */
  static IpPrefix prefix(String text) {
    Matcher form = FORM.matcher(text);
    if (form.matches()) {
      IpAddress address = address(form.group(1));
      int length = form.group(2) == null ? address.bits() : Integer.parseInt(form.group(2));
      if (length <= address.bits()) {
        return new IpPrefix(address, length);
      }
    }
    throw new IllegalArgumentException(
        "'" + text + "' (expected: a prefix such as 10.1.0.0/16 or fd00:1::/32)");
  }

  /**
   * @throws IllegalArgumentException naming what is expected
   */
  static IpAddress address(String text) {
    boolean isLiteral = text.indexOf(':') >= 0 || text.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
    if (isLiteral && FORM.matcher(text).matches()) {
      try {
        return IpAddress.of(InetAddress.getByName(text).getAddress());
      } catch (UnknownHostException e) {
        // Handled as any other text.
      }
    }
    throw new IllegalArgumentException(
        "'" + text + "' (expected: an address such as 10.1.0.254 or fd00:1::1)");
  }
}
