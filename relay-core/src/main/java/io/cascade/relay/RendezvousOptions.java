package io.cascade.relay;

import io.cascade.command.DataSize;
import io.cascade.command.OptionSection;
import io.cascade.relay.rendezvous.RendezvousLimits;
import io.cascade.relay.rendezvous.RendezvousSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the port where two ends meet that both dial out. */
@OptionSection("Rendezvous")
final class RendezvousOptions {
  @Option(
      names = "--rendezvous",
      paramLabel = "[HOST:]PORT",
      description = {
        "Join two ends of a transfer that both connect here, by a number that both know, and pass"
            + " bytes between them unread. Over UDP, at the same port number, ends learn their own"
            + " address. Any host that reaches the port may use it, within its limits. Without HOST"
            + " it listens on the --listen address; port 0 picks a free port (default: none)."
      })
  @Nullable String rendezvous;

  @Option(
      names = "--rendezvous-bytes-a-day",
      paramLabel = "SIZE",
      defaultValue = "1TiB",
      converter = DataSize.Converter.class,
      description = {
        "Pass at most this many bytes a day over --rendezvous, both directions together; then its"
            + " streams are reset and new ones refused until the next day (default:"
            + " ${DEFAULT-VALUE})."
      })
  DataSize bytesADay = new DataSize(RendezvousSettings.DEFAULT_BYTES_A_DAY);

  /**
   * Returns the settings after checking them.
   *
   * @param listen default address to listen on
   */
  RendezvousSettings settings(InetAddress listen) {
    return new RendezvousSettings(
        rendezvous == null ? null : address(rendezvous, listen),
        RendezvousLimits.usual(bytesADay.bytes()));
  }

  private static InetSocketAddress address(String text, InetAddress listen) {
    int colon = text.lastIndexOf(':');
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      String host = text.substring(0, Math.max(colon, 0)).replace("[", "").replace("]", "");
      if (port >= 0 && port <= 65_535 && (colon < 0 || !host.isBlank())) {
        return new InetSocketAddress(colon < 0 ? listen : InetAddress.getByName(host), port);
      }
    } catch (NumberFormatException | UnknownHostException e) {
      // reported below
    }
    throw new IllegalArgumentException(
        "rendezvous: '" + text + "' (expected: PORT or HOST:PORT, such as 7414)");
  }
}
