package io.cascade.client.verbs;

import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.api.orchestrator.ChainSecurity;
import io.cascade.api.orchestrator.ForwardMode;
import io.cascade.api.orchestrator.HopOptions;
import io.cascade.api.orchestrator.PipeScheduler;
import io.cascade.api.orchestrator.TransportChoice;
import io.cascade.command.BitRate;
import io.cascade.command.DataSize;
import io.cascade.command.OptionSection;
import io.cascade.command.ParsedOption;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/**
 * Options for the treatment of streams by a chain's relays. The relays' defaults apply to those not
 * given.
 */
@OptionSection("Stream options at the relays (default: the relays' own)")
final class ChainShape {
  @Option(
      names = "--buffer",
      paramLabel = "SIZE",
      converter = DataSize.Converter.class,
      description = "Buffer at most this much of one stream at each relay (default: 4MiB).")
  private @Nullable DataSize buffer;

  @Option(
      names = "--warm",
      paramLabel = "N",
      description = "Keep N onward connections ready at each relay (default: 4).")
  private @Nullable Integer warm;

  @OptionSection(OptionSection.TO_COMPARE)
  @Option(
      names = "--mode",
      paramLabel = "MODE",
      description =
          "Forward bytes as they arrive, or each direction only once it is complete:"
              + " ${COMPLETION-CANDIDATES} (default: CUT_THROUGH).")
  private @Nullable ForwardMode mode;

  @OptionSection(OptionSection.TO_COMPARE)
  @Option(
      names = "--start-after-bytes",
      paramLabel = "SIZE",
      converter = DataSize.Converter.class,
      description =
          "Start forwarding a stream when this much of it has arrived, or nothing for 1.5 round"
              + " trips.")
  private @Nullable DataSize startAfterBytes;

  @OptionSection(OptionSection.TO_COMPARE)
  @Option(
      names = "--start-after-windows",
      paramLabel = "N",
      description = "Start forwarding a stream after N round trips of the hop on which it arrives.")
  private @Nullable Integer startAfterWindows;

  @OptionSection(OptionSection.TO_COMPARE)
  @Option(
      names = "--chunk",
      paramLabel = "SIZE",
      converter = DataSize.Converter.class,
      description =
          "Forward in chunks of this size, each when it is complete or nothing has arrived for 1.5"
              + " round trips.")
  private @Nullable DataSize chunk;

  @OptionSection(OptionSection.TO_COMPARE)
  @Option(
      names = "--spool",
      paramLabel = "SIZE",
      converter = DataSize.Converter.class,
      description =
          "Store at most this much of a direction on each relay's disk in STORE_AND_FORWARD"
              + " (default: 8GiB).")
  private @Nullable DataSize spool;

  @Option(
      names = "--congestion-control",
      paramLabel = "NAME",
      description =
          "Use this congestion control on the connections on which relays send, such as reno, cubic"
              + " or bbr.")
  private @Nullable String congestionControl;

  @ArgGroup private @Nullable Coalescing coalescing;

  @Option(
      names = "--keep-alive",
      paramLabel = "SECONDS",
      description =
          "Send TCP keep-alive probes after this idle time (default: 15); 0 disables them.")
  private @Nullable Integer keepAlive;

  @Option(
      names = "--user-timeout",
      paramLabel = "SECONDS",
      description =
          "Treat a peer as dead when sent data stays unacknowledged for this long (default: 30); 0"
              + " leaves it to the kernel.")
  private @Nullable Integer userTimeout;

  @Option(
      names = "--connect-timeout",
      paramLabel = "SECONDS",
      description = "Give up a relay's onward connection attempt after this long (default: 10).")
  private @Nullable Integer connectTimeout;

  @Option(
      names = "--idle-timeout",
      paramLabel = "SECONDS",
      description =
          "Reset a stream when no byte moves for this long (default: 0, which disables it).")
  private @Nullable Integer idleTimeout;

  @Option(
      names = "--half-close-timeout",
      paramLabel = "SECONDS",
      description =
          "Reset a stream when no byte moves for this long after one direction has ended (default:"
              + " 3600); 0 disables it.")
  private @Nullable Integer halfCloseTimeout;

  @Option(
      names = "--proxy-protocol",
      description = "Pass the client's address to the destination in a PROXY protocol v2 header.")
  private @Nullable Boolean proxyProtocol;

  @Option(
      names = "--security",
      paramLabel = "KIND",
      description =
          "tls: encrypt the hops between relays; plain: do not (default: plain, unless a relay of"
              + " the chain requires tls). The client's connection and the one to the destination"
              + " are not affected.")
  private @Nullable ChainSecurity security;

  @Option(
      names = "--transport",
      paramLabel = "KIND",
      description =
          "Carry the hops between relays over tcp; over coded, which is UDP that random loss does"
              + " not slow down, or TCP if UDP gets no answer; or by auto, coded if a plan expects"
              + " it to be 1.5 times as fast (default: auto; tcp with --congestion-control or"
              + " --pacing-rate). --hop sets it for one hop.")
  private @Nullable TransportChoice transport;

  @Option(
      names = "--pacing-rate",
      paramLabel = "RATE",
      converter = BitRate.Converter.class,
      description =
          "Pace each connection on which a relay sends to at most this rate, such as 50Mbit.")
  private @Nullable BitRate pacingRate;

  @Option(
      names = "--max-streams",
      paramLabel = "N",
      description =
          "Allow at most N concurrent streams of the chain; further ones are reset at once.")
  private @Nullable Integer maxStreams;

  @Option(
      names = "--hop",
      paramLabel = "HOP:OPTION=VALUE[,...]",
      converter = HopOptionsConverter.class,
      description =
          "Override options of one hop, at both its ends, such as 1:congestion-control=bbr. Hop 0"
              + " leads from the first relay onward, the last hop to the destination. Options:"
              + " congestion-control, pacing-rate, keep-alive, user-timeout, transport. Repeat for"
              + " each hop.")
  private List<HopOptions> hops = List.of();

  @Option(
      names = "--scheduler",
      paramLabel = "NAME",
      converter = SchedulerConverter.class,
      description =
          "Divide a stream over its pipes by this rule: earliest (each piece on the pipe that"
              + " delivers it first), round-robin, or duplicate (everything on every pipe, for"
              + " latency) (default: earliest).")
  private @Nullable PipeScheduler scheduler;

  @Option(
      names = "--patience",
      paramLabel = "SECONDS",
      description = "Reset a stream that has had no pipe for this long, 1 to 3600 (default: 30).")
  private @Nullable Integer patience;

  /** Options given; null where there are none. */
  @Nullable ChainOptions options() {
    return options(transport);
  }

  /** Whether only relays can do what was requested; the plan may choose the transport. */
  boolean needsRelays() {
    return options(transport == TransportChoice.CODED ? transport : null) != null;
  }

  /** Whether hops may be coded. */
  boolean mayBeCoded() {
    return isCoded(transport) || hops.stream().anyMatch(hop -> isCoded(hop.transport()));
  }

  private static boolean isCoded(@Nullable TransportChoice choice) {
    return choice == TransportChoice.CODED || choice == TransportChoice.AUTO;
  }

  private @Nullable ChainOptions options(@Nullable TransportChoice carriedBy) {
    ChainOptions asked =
        ChainOptions.builder()
            .bufferBytes(bytes(buffer))
            .warmConnections(warm)
            .mode(mode)
            .startAfterBytes(bytes(startAfterBytes))
            .startAfterWindows(startAfterWindows)
            .spoolBytes(bytes(spool))
            .congestionControl(congestionControl)
            .noDelay(coalescing == null ? null : coalescing.noDelay && !coalescing.nagle)
            .keepAliveSeconds(keepAlive)
            .userTimeoutSeconds(userTimeout)
            .connectTimeoutSeconds(connectTimeout)
            .idleTimeoutSeconds(idleTimeout)
            .halfCloseTimeoutSeconds(halfCloseTimeout)
            .chunkBytes(bytes(chunk))
            .proxyProtocol(proxyProtocol)
            .security(security)
            .pacingBitsPerSecond(pacingRate == null ? null : (Long) pacingRate.bitsPerSecond())
            .maxStreams(maxStreams)
            .hops(hops.isEmpty() ? null : hops)
            .transport(carriedBy)
            .scheduler(scheduler)
            .patienceSeconds(patience)
            .build();
    ChainOptions nothing = ChainOptions.builder().build();
    return asked.equals(nothing) ? null : asked;
  }

  /**
   * Transport that the plan assumes: {@code AUTO} where any hop leaves the choice to the plan, TCP
   * where a pacing rate is given without a transport.
   */
  @Nullable TransportChoice transport() {
    if (hops.stream().anyMatch(hop -> hop.transport() == TransportChoice.AUTO)) {
      return TransportChoice.AUTO;
    }
    return transport == null && pacingRate != null ? TransportChoice.TCP : transport;
  }

  private static @Nullable Long bytes(@Nullable DataSize size) {
    return size == null ? null : size.bytes();
  }

  /** Converts {@code round-robin} and the like. */
  static final class SchedulerConverter extends ParsedOption<PipeScheduler> {
    SchedulerConverter() {
      super(constant(PipeScheduler.class, "earliest, round-robin or duplicate"));
    }
  }

  /** Mutually exclusive options. */
  static final class Coalescing {
    @Option(names = "--no-delay", description = "Set TCP_NODELAY (the default).")
    private boolean noDelay;

    @Option(
        names = "--nagle",
        description = "Clear TCP_NODELAY, so that small writes are coalesced.")
    private boolean nagle;
  }
}
