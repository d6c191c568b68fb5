package io.cascade.client.verbs;

import io.cascade.api.orchestrator.HopOptions;
import io.cascade.api.orchestrator.TransportChoice;
import io.cascade.command.BitRate;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Converts options of one hop, written {@code 1:congestion-control=bbr,keep-alive=60} with the
 * names of the chain's own options.
 */
final class HopOptionsConverter implements ITypeConverter<HopOptions> {
  private static final String CONGESTION_CONTROL = "congestion-control";
  private static final String KEEP_ALIVE = "keep-alive";
  private static final String USER_TIMEOUT = "user-timeout";
  private static final String PACING_RATE = "pacing-rate";
  private static final String TRANSPORT = "transport";
  private static final List<String> NAMES =
      List.of(CONGESTION_CONTROL, KEEP_ALIVE, USER_TIMEOUT, PACING_RATE, TRANSPORT);

  @Override
  public HopOptions convert(String text) {
    int colon = text.indexOf(':');
    if (colon < 0) {
      throw new TypeConversionException(
          "'" + text + "' (expected: HOP:OPTION=VALUE, such as 1:congestion-control=bbr)");
    }
    int hop = number("the hop, counted from 0", text.substring(0, colon));
    Map<String, String> given = given(text.substring(colon + 1));
    try {
      String pacingRate = given.get(PACING_RATE);
      return HopOptions.builder()
          .hop(hop)
          .congestionControl(given.get(CONGESTION_CONTROL))
          .keepAliveSeconds(seconds(KEEP_ALIVE, given))
          .userTimeoutSeconds(seconds(USER_TIMEOUT, given))
          .pacingBitsPerSecond(
              pacingRate == null ? null : (Long) BitRate.parse(pacingRate).bitsPerSecond())
          .transport(transport(given.get(TRANSPORT)))
          .build();
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }

  private static Map<String, String> given(String options) {
    Map<String, String> given = new LinkedHashMap<>();
    Arrays.stream(options.split(",", -1))
        .map(String::strip)
        .forEach(option -> {
          int equals = option.indexOf('=');
          String name = equals < 0 ? option : option.substring(0, equals);
          String value = equals < 0 ? "" : option.substring(equals + 1);
          if (!NAMES.contains(name) || value.isBlank()) {
            throw new TypeConversionException(
                "'" + option + "' (expected: OPTION=VALUE, of " + String.join(", ", NAMES) + ")");
          }
          if (given.put(name, value) != null) {
            throw new TypeConversionException("'" + option + "' (expected: " + name + " once)");
          }
        });
    return given;
  }

  private static @Nullable TransportChoice transport(@Nullable String value) {
    return switch (value) {
      case null -> null;
      case "tcp" -> TransportChoice.TCP;
      case "coded" -> TransportChoice.CODED;
      case "auto" -> TransportChoice.AUTO;
      default ->
          throw new TypeConversionException("'" + value + "' (expected: tcp, coded or auto)");
    };
  }

  private static @Nullable Integer seconds(String name, Map<String, String> given) {
    String value = given.get(name);
    return value == null ? null : (Integer) number(name + " in seconds", value);
  }

  private static int number(String what, String text) {
    if (!text.matches("[0-9]{1,6}")) {
      throw new TypeConversionException("'" + text + "' (expected: " + what + ")");
    }
    return Integer.parseInt(text);
  }
}
