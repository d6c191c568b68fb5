package io.cascade.gateway.scap;

import io.cascade.command.ParsedOption;
import io.cascade.packets.header.IpAddress;
import io.cascade.packets.header.IpPrefix;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An IPv4 prefix in the notation of ip: {@code 10.1.0.0/16}, or an address alone. */
final class Ipv4PrefixText extends ParsedOption<String> {
  private static final Pattern FORM =
      Pattern.compile(
          "([0-9]{1,3})\\.([0-9]{1,3})\\.([0-9]{1,3})\\.([0-9]{1,3})(?:/([0-9]{1,2}))?");

  Ipv4PrefixText() {
    super(Ipv4PrefixText::checked);
  }

  private static String checked(String text) {
    IpPrefix _ = prefix(text);
    return text;
  }

  /**
   * @throws IllegalArgumentException naming what is expected
   */
  static IpPrefix prefix(String text) {
    Matcher form = FORM.matcher(text);
    boolean valid = form.matches();
    byte[] octets = new byte[4];
    for (int i = 0; valid && i < octets.length; i++) {
      int octet = Integer.parseInt(form.group(i + 1));
      octets[i] = (byte) octet;
      valid = octet <= 255;
    }
    int length = valid && form.group(5) != null ? Integer.parseInt(form.group(5)) : 32;
    if (!valid || length > 32) {
      throw new IllegalArgumentException("'" + text + "' (expected: a prefix such as 10.1.0.0/16)");
    }
    return new IpPrefix(IpAddress.of(octets), length);
  }
}
