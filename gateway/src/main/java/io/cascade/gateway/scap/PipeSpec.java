package io.cascade.gateway.scap;

import io.cascade.command.BitRate;
import io.cascade.command.DataSize;
import io.cascade.command.TimeSpan;
import io.cascade.packets.pipes.PipeProperties;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A pipe that is a network device, as people write it: {@code
 * wan1,rtt=40ms,rate=1.544Mbit,queue=75kB,loss=1%,via=192.0.2.1}.
 *
 * @param via next hop, where the device is not a point-to-point one
 */
record PipeSpec(String device, PipeProperties properties, @Nullable String via) {
  /** What a kernel accepts, without what a shell or ip would take for something else. */
  static final Pattern DEVICE = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.@-]{0,14}");

  private static final Pattern ADDRESS = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
  private static final long ANY_RATE = 1_000_000_000L;
  private static final long ANY_QUEUE = 256 << 10;

  /**
   * @throws IllegalArgumentException naming what is expected
   */
  static PipeSpec parse(String text) {
    String[] parts = text.split(",", -1);
    if (!DEVICE.matcher(parts[0]).matches()) {
      throw new IllegalArgumentException("'" + parts[0] + "' (expected: a network device)");
    }
    double seconds = -1;
    long rate = ANY_RATE;
    long queue = ANY_QUEUE;
    double loss = 0;
    String via = null;
    for (int i = 1; i < parts.length; i++) {
      int equals = parts[i].indexOf('=');
      String value = parts[i].substring(equals + 1);
      switch (equals < 0 ? "" : parts[i].substring(0, equals)) {
        case "rtt" -> seconds = TimeSpan.parse(value).seconds();
        case "rate" -> rate = BitRate.parse(value).bitsPerSecond();
        case "queue" -> queue = DataSize.parse(value).bytes();
        case "loss" -> loss = percent(value);
        case "via" -> via = address(value);
        default ->
            throw new IllegalArgumentException(
                "'" + parts[i] + "' (expected: rtt=, rate=, queue=, loss= or via=)");
      }
    }
    if (seconds < 0) {
      throw new IllegalArgumentException("'" + text + "': no rtt (expected: DEVICE,rtt=TIME,...)");
    }
    return new PipeSpec(
        parts[0], new PipeProperties(Math.round(seconds * 1e9), rate, queue, loss), via);
  }

  static double percent(String value) {
    try {
      if (value.endsWith("%")) {
        return Double.parseDouble(value.substring(0, value.length() - 1)) / 100;
      }
    } catch (NumberFormatException e) {
      // Said below.
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
  static final class Converter implements ITypeConverter<PipeSpec> {
    @Override
    public PipeSpec convert(String value) {
      try {
        return parse(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
