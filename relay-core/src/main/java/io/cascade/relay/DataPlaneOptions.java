package io.cascade.relay;

import io.cascade.carriage.tls.TlsLibrary;
import io.cascade.carriage.transport.Transport;
import io.cascade.command.OptionSection;
import io.cascade.relay.pump.PumpMode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for how the data plane moves and encrypts bytes. */
@OptionSection("Data plane")
final class DataPlaneOptions {
  @Option(
      names = "--transport",
      paramLabel = "KIND",
      defaultValue = "auto",
      converter = OptionConverters.TransportConverter.class,
      description = "Use this I/O transport: auto, epoll or nio (default: ${DEFAULT-VALUE}).")
  Transport transport = Transport.NIO;

  @Option(
      names = "--pump",
      paramLabel = "KIND",
      defaultValue = "auto",
      converter = OptionConverters.PumpModeConverter.class,
      description = {
        "Move bytes in this way: copy, through buffers; splice, through pipes in the kernel, if the"
            + " transport is epoll; auto, through buffers until an event loop is busy, then bulk"
            + " data through pipes (default: ${DEFAULT-VALUE})."
      })
  PumpMode pump = PumpMode.AUTO;

  @Option(
      names = "--hop-security",
      paramLabel = "KIND",
      defaultValue = "optional",
      converter = OptionConverters.HopSecurityConverter.class,
      description = {
        "Encrypt connections to and from other relays: tls always, optional when a chain asks for"
            + " it, plain never (default: ${DEFAULT-VALUE})."
      })
  HopSecurity hopSecurity = HopSecurity.OPTIONAL;

  @Option(
      names = "--tls-library",
      paramLabel = "KIND",
      defaultValue = "auto",
      converter = OptionConverters.TlsLibraryConverter.class,
      description = {
        "Encrypt hops with this TLS library: boringssl, which takes less processor time; jdk; or"
            + " auto, boringssl if this machine can load it (default: ${DEFAULT-VALUE})."
      })
  TlsLibrary tlsLibrary = TlsLibrary.AUTO;

  @Option(
      names = "--event-loops",
      paramLabel = "N",
      description = "Use N threads to move data (default: one for each processor).")
  @Nullable Integer eventLoops;

  /** The number of event loops. */
  int eventLoops() {
    return eventLoops == null ? Runtime.getRuntime().availableProcessors() : eventLoops;
  }
}
