package io.cascade.orchestrator.gateways;

import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Address prefixes in normal form. */
final class Prefixes {
  private static final Pattern FORM =
      Pattern.compile(
          "([0-9]{1,3}(?:\\.[0-9]{1,3}){3}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*)/([0-9]{1,3})");

  private Prefixes() {}

  /**
   * Returns each prefix as its first address and length.
   *
   * @throws Refusal naming the first text that is not a prefix
   */
  static List<String> normal(List<String> texts) {
    return texts.stream().map(Prefixes::normal).distinct().toList();
  }

  private static String normal(String text) {
    Matcher form = FORM.matcher(text);
    if (form.matches()) {
      try {
        byte[] address = InetAddress.getByName(form.group(1)).getAddress();
        int length = Integer.parseInt(form.group(2));
        int free = address.length * Byte.SIZE - length;
        if (free >= 0) {
          BigInteger first = new BigInteger(1, address).shiftRight(free).shiftLeft(free);
          return InetAddress.getByAddress(bytes(first, address.length)).getHostAddress()
              + "/"
              + length;
        }
      } catch (UnknownHostException e) {
        // Reported by the exception below.
      }
    }
    throw new Refusal(
        ProblemKind.INVALID_TUNNEL,
        "'" + text + "' (expected: a prefix such as 10.2.0.0/16 or fd00:2::/32)");
  }

  private static byte[] bytes(BigInteger value, int length) {
    byte[] bytes = new byte[length];
    byte[] digits = value.toByteArray();
    int count = Math.min(digits.length, length);
    System.arraycopy(digits, digits.length - count, bytes, length - count, count);
    return bytes;
  }
}
