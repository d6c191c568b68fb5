package io.cascade.relay;

import io.cascade.carriage.tls.TlsLibrary;
import io.cascade.carriage.transport.Transport;
import io.cascade.command.OptionSection;
import io.cascade.relay.pump.PumpMode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for how the data plane moves and encrypts bytes. */
@OptionSection("How bytes are moved")
final class DataPlaneOptions {
  @Option(
      names = "--transport",
      paramLabel = "KIND",
      defaultValue = "auto",
      converter = OptionConverters.TransportConverter.class,
      description = "auto, epoll or nio. Default: ${DEFAULT-VALUE}.")
  Transport transport = Transport.NIO;

  @Option(
      names = "--pump",
      paramLabel = "KIND",
      defaultValue = "auto",
      converter = OptionConverters.PumpModeConverter.class,
      description = {
        "How bytes are moved: copy, through buffers; splice, through pipes in the kernel, where the"
            + " transport is epoll; auto, through buffers until an event loop is busy,"
            + " then its bulk through pipes. Default: ${DEFAULT-VALUE}."
      })
  PumpMode pump = PumpMode.AUTO;

  @Option(
      names = "--hop-security",
      paramLabel = "KIND",
      defaultValue = "optional",
      converter = OptionConverters.HopSecurityConverter.class,
      description = {
        "Whether connections to and from other relays are encrypted: tls always, optional when a"
            + " chain asks for it, plain never. Default: ${DEFAULT-VALUE}."
      })
  HopSecurity hopSecurity = HopSecurity.OPTIONAL;

  @Option(
      names = "--tls-library",
      paramLabel = "KIND",
      defaultValue = "auto",
      converter = OptionConverters.TlsLibraryConverter.class,
      description = {
        "Whose TLS encrypts the hops: boringssl, which takes less of the processor; jdk; auto,"
            + " boringssl where this machine can load it. Default: ${DEFAULT-VALUE}."
      })
  TlsLibrary tlsLibrary = TlsLibrary.AUTO;

  @Option(
      names = "--event-loops",
      paramLabel = "N",
      description = "Threads that move the data. Default: one for each processor.")
  @Nullable Integer eventLoops;

  /** The number of event loops. */
  int eventLoops() {
    return eventLoops == null ? Runtime.getRuntime().availableProcessors() : eventLoops;
  }
}
