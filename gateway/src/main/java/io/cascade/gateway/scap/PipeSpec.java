package io.cascade.gateway.scap;

import io.cascade.command.BitRate;
import io.cascade.command.DataSize;
import io.cascade.command.ParsedOption;
import io.cascade.command.TimeSpan;
import io.cascade.packets.encapsulation.PipeEnd;
import io.cascade.packets.pipes.PipeProperties;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A pipe in a user's notation: {@code
 * wan1,rtt=40ms,rate=1.544Mbit,queue=75kB,loss=1%,via=192.0.2.1}, or with {@code
 * peer=198.51.100.7:7710} to carry packets in datagrams over that device.
 *
 * @param via next hop, where the device is not a point-to-point one
 * @param peer the other end of the datagrams, with the port of both ends; null for a bare device
 * @param rateIsGiven whether the rate was named
 * @param queueIsGiven whether the queue was named
 */
record PipeSpec(
    String device,
    PipeProperties properties,
    @Nullable String via,
    @Nullable InetSocketAddress peer,
    boolean rateIsGiven,
    boolean queueIsGiven) {
  /** Names that a kernel accepts and that neither a shell nor ip misinterprets. */
  static final Pattern DEVICE = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.@-]{0,14}");

  private static final String OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
  private static final Pattern ADDRESS = Pattern.compile(OCTET + "(\\." + OCTET + "){3}");
  private static final long ANY_RATE = 1_000_000_000L;
  private static final long ANY_QUEUE = 256 << 10;

  /** Assumed delay of a pipe until its round trip is measured. */
  private static final double ANY_SECONDS = 0.1;

  /**
   * @throws IllegalArgumentException naming what is expected
   */
  static PipeSpec parse(String text) {
    String[] parts = text.split(",", -1);
    if (!DEVICE.matcher(parts[0]).matches()) {
      throw new IllegalArgumentException("'" + parts[0] + "' (expected: a network device)");
    }
    double seconds = -1;
    Long rate = null;
    Long queue = null;
    double loss = 0;
    String via = null;
    InetSocketAddress peer = null;
    for (int i = 1; i < parts.length; i++) {
      int equals = parts[i].indexOf('=');
      String value = parts[i].substring(equals + 1);
      switch (equals < 0 ? "" : parts[i].substring(0, equals)) {
        case "rtt" -> seconds = TimeSpan.parse(value).seconds();
        case "rate" -> rate = BitRate.parse(value).bitsPerSecond();
        case "queue" -> queue = DataSize.parse(value).bytes();
        case "loss" -> loss = percent(value);
        case "via" -> via = address(value);
        case "peer" -> peer = peer(value);
        default ->
            throw new IllegalArgumentException(
                "'" + parts[i] + "' (expected: rtt=, rate=, queue=, loss=, via= or peer=)");
      }
    }
    if (seconds < 0 && peer == null) {
      throw new IllegalArgumentException(
          "'" + text + "': no rtt (expected: DEVICE,rtt=TIME,... or DEVICE,peer=ADDRESS:PORT,...)");
    }
    return new PipeSpec(
        parts[0],
        new PipeProperties(
            Math.round((seconds < 0 ? ANY_SECONDS : seconds) * 1e9),
            Objects.requireNonNullElse(rate, ANY_RATE),
            Objects.requireNonNullElse(queue, ANY_QUEUE),
            loss),
        via,
        peer,
        rate != null,
        queue != null);
  }

  private static InetSocketAddress peer(String value) {
    int colon = value.indexOf(':');
    try {
      int port = Integer.parseInt(value.substring(colon + 1));
      if (colon > 0 && port > 0 && port < 65_536) {
        String[] octets = address(value.substring(0, colon)).split("\\.", -1);
        byte[] bytes = new byte[octets.length];
        for (int i = 0; i < octets.length; i++) {
          bytes[i] = (byte) Integer.parseInt(octets[i]);
        }
        return new InetSocketAddress(InetAddress.getByAddress(bytes), port);
      }
    } catch (NumberFormatException | UnknownHostException e) {
      // The exception below reports it.
    }
    throw new IllegalArgumentException(
        "'" + value + "' (expected: ADDRESS:PORT such as 192.0.2.1:7710)");
  }

  /** Whether it has a route of its own, instead of the kernel's. */
  boolean hasRoute() {
    return peer == null || via != null;
  }

  /** Bytes of overhead of a packet on this pipe. */
  int overheadBytes() {
    return peer == null ? 0 : PipeEnd.OVERHEAD_BYTES;
  }

  static double percent(String value) {
    try {
      if (value.endsWith("%")) {
        return Double.parseDouble(value.substring(0, value.length() - 1)) / 100;
      }
    } catch (NumberFormatException e) {
      // The exception below reports it.
    }
    throw new IllegalArgumentException("'" + value + "' (expected: a share such as 1%)");
  }

  private static String address(String value) {
    if (!ADDRESS.matcher(value).matches()) {
      throw new IllegalArgumentException("'" + value + "' (expected: an IPv4 address)");
    }
    return value;
  }

  /** Converter for picocli. */
  static final class Converter extends ParsedOption<PipeSpec> {
    Converter() {
      super(PipeSpec::parse);
    }
  }
}
