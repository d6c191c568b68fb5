package io.cascade.relay;

import io.cascade.carriage.tls.TlsLibrary;
import io.cascade.carriage.transport.Transport;
import io.cascade.command.TimeSpan;
import io.cascade.relay.chain.PortRange;
import io.cascade.relay.pump.PumpMode;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Supplier;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converters of the relay's options. */
final class OptionConverters {
  private OptionConverters() {}

  static final class PortRangeConverter implements ITypeConverter<PortRange> {
    @Override
    public PortRange convert(String value) {
      return converted(() -> PortRange.parse(value));
    }
  }

  static final class TransportConverter implements ITypeConverter<Transport> {
    @Override
    public Transport convert(String value) {
      return switch (value.strip().toLowerCase(Locale.ROOT)) {
        case "auto" -> Transport.best();
        case "epoll" -> Transport.EPOLL;
        case "nio" -> Transport.NIO;
        default ->
            throw new TypeConversionException("'" + value + "' (expected: auto, epoll or nio)");
      };
    }
  }

  static final class PumpModeConverter implements ITypeConverter<PumpMode> {
    @Override
    public PumpMode convert(String value) {
      return switch (value.strip().toLowerCase(Locale.ROOT)) {
        case "auto" -> PumpMode.AUTO;
        case "copy" -> PumpMode.COPY;
        case "splice" -> PumpMode.SPLICE;
        default ->
            throw new TypeConversionException("'" + value + "' (expected: auto, copy or splice)");
      };
    }
  }

  /** Converts a length of time, or 0. */
  static final class ServeAloneConverter implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String value) {
      return value.strip().equals("0")
          ? Duration.ZERO
          : Duration.ofMillis(Math.round(converted(() -> TimeSpan.parse(value)).seconds() * 1_000));
    }
  }

  static final class TlsLibraryConverter implements ITypeConverter<TlsLibrary> {
    @Override
    public TlsLibrary convert(String value) {
      return switch (value.strip().toLowerCase(Locale.ROOT)) {
        case "auto" -> TlsLibrary.AUTO;
        case "boringssl" -> TlsLibrary.BORINGSSL;
        case "jdk" -> TlsLibrary.JDK;
        default ->
            throw new TypeConversionException("'" + value + "' (expected: auto, boringssl or jdk)");
      };
    }
  }

  static final class HopSecurityConverter implements ITypeConverter<HopSecurity> {
    @Override
    public HopSecurity convert(String value) {
      return switch (value.strip().toLowerCase(Locale.ROOT)) {
        case "plain" -> HopSecurity.PLAIN;
        case "optional" -> HopSecurity.OPTIONAL;
        case "tls" -> HopSecurity.TLS;
        default ->
            throw new TypeConversionException("'" + value + "' (expected: tls, optional or plain)");
      };
    }
  }

  private static <T> T converted(Supplier<T> parsing) {
    try {
      return parsing.get();
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
