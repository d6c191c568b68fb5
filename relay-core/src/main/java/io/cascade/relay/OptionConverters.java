package io.cascade.relay;

import io.cascade.carriage.tls.TlsLibrary;
import io.cascade.carriage.transport.Transport;
import io.cascade.command.ParsedOption;
import io.cascade.command.TimeSpan;
import io.cascade.relay.chain.PortRange;
import io.cascade.relay.pump.PumpMode;
import java.time.Duration;

/** Converters of the relay's options. */
final class OptionConverters {
  private OptionConverters() {}

  static final class PortRangeConverter extends ParsedOption<PortRange> {
    PortRangeConverter() {
      super(PortRange::parse);
    }
  }

  static final class TransportConverter extends ParsedOption<Transport> {
    TransportConverter() {
      super(TransportConverter::parse);
    }

    private static Transport parse(String value) {
      return value.strip().equalsIgnoreCase("auto")
          ? Transport.best()
          : constant(Transport.class, "auto, epoll or nio").apply(value);
    }
  }

  static final class PumpModeConverter extends ParsedOption<PumpMode> {
    PumpModeConverter() {
      super(constant(PumpMode.class, "auto, copy or splice"));
    }
  }

  /** Converts a duration, or 0. */
  static final class ServeAloneConverter extends ParsedOption<Duration> {
    ServeAloneConverter() {
      super(ServeAloneConverter::parse);
    }

    private static Duration parse(String value) {
      return value.strip().equals("0")
          ? Duration.ZERO
          : Duration.ofMillis(Math.round(TimeSpan.parse(value).seconds() * 1_000));
    }
  }

  static final class TlsLibraryConverter extends ParsedOption<TlsLibrary> {
    TlsLibraryConverter() {
      super(constant(TlsLibrary.class, "auto, boringssl or jdk"));
    }
  }

  static final class HopSecurityConverter extends ParsedOption<HopSecurity> {
    HopSecurityConverter() {
      super(constant(HopSecurity.class, "tls, optional or plain"));
    }
  }
}
