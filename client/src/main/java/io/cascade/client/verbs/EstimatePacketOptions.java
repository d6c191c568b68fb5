package io.cascade.client.verbs;

import io.cascade.command.OptionSection;
import io.cascade.model.tcp.Framing;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options for the sizes of an estimate's packets. */
@OptionSection("Packets")
final class EstimatePacketOptions {
  private static final int TIMESTAMPED_HEADERS = 52;
  private static final int PLAIN_HEADERS = 40;
  private static final int MOST_PACKET = 65_535;

  @SuppressWarnings("NullAway.Init")
  @Spec(Spec.Target.MIXEE)
  private CommandSpec verb;

  @Option(
      names = "--mss",
      paramLabel = "BYTES",
      description = "Set the payload of a full packet, and with it the MTU (default: 1448).")
  private @Nullable Integer mss;

  @Option(
      names = "--mtu",
      paramLabel = "BYTES",
      description = "Set the size of the largest IP packet (default: 1500).")
  private @Nullable Integer mtu;

  @Option(
      names = "--no-timestamps",
      description = "Omit TCP's timestamp option: 12 more bytes of payload in each packet.")
  private boolean noTimestamps;

  /**
   * Sizes of packets and their headers.
   *
   * @throws ParameterException where no payload fits, or both sizes are given
   */
  Framing framing() {
    if (mss != null && mtu != null) {
      throw misuse("--mss: " + mss + " (expected: one of --mss and --mtu)");
    }
    int headers = noTimestamps ? PLAIN_HEADERS : TIMESTAMPED_HEADERS;
    Framing usual = Framing.ETHERNET_1500;
    int packet = mtu != null ? mtu : mss != null ? mss + headers : usual.mtuBytes();
    if (packet <= TIMESTAMPED_HEADERS || packet > MOST_PACKET) {
      throw misuse(
          mtu != null
              ? "--mtu: " + mtu + " (expected: 53..65535)"
              : "--mss: " + mss + " (expected: such as 1448, with its headers at most 65535)");
    }
    return new Framing(packet, !noTimestamps, usual.linkOverheadBytes());
  }

  private ParameterException misuse(String message) {
    return new ParameterException(verb.commandLine(), message);
  }
}
