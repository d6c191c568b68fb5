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
@OptionSection("How relays treat the streams (default: the relays' own)")
final class ChainShape {
  @Option(
      names = "--buffer",
      paramLabel = "SIZE",
      converter = DataSize.Converter.class,
      description = "The most that a relay holds for one stream (4MiB).")
  private @Nullable DataSize buffer;

  @Option(
      names = "--warm",
      paramLabel = "N",
      description = "Onward connections that each relay keeps ready (4).")
  private @Nullable Integer warm;

  @OptionSection(OptionSection.TO_COMPARE)
  @Option(
      names = "--mode",
      paramLabel = "MODE",
      description =
          "Whether relays pass bytes on as they come, or a direction when all of it has come:"
              + " ${COMPLETION-CANDIDATES} (CUT_THROUGH).")
  private @Nullable ForwardMode mode;

  @OptionSection(OptionSection.TO_COMPARE)
  @Option(
      names = "--start-after-bytes",
      paramLabel = "SIZE",
      converter = DataSize.Converter.class,
      description =
          "Relays hold a stream back until so much of it came, or nothing for 1.5 round trips.")
  private @Nullable DataSize startAfterBytes;

  @OptionSection(OptionSection.TO_COMPARE)
  @Option(
      names = "--start-after-windows",
      paramLabel = "N",
      description = "Relays hold a stream back for so many round trips of the hop it comes from.")
  private @Nullable Integer startAfterWindows;

  @OptionSection(OptionSection.TO_COMPARE)
  @Option(
      names = "--chunk",
      paramLabel = "SIZE",
      converter = DataSize.Converter.class,
      description =
          "Relays forward in chunks of this size, each when all of it has come, or nothing for 1.5"
              + " round trips.")
  private @Nullable DataSize chunk;

  @OptionSection(OptionSection.TO_COMPARE)
  @Option(
      names = "--spool",
      paramLabel = "SIZE",
      converter = DataSize.Converter.class,
      description = "The most that a relay stores on disk in STORE_AND_FORWARD (8GiB).")
  private @Nullable DataSize spool;

  @Option(
      names = "--congestion-control",
      paramLabel = "NAME",
      description = "Of the connections that relays send on, such as reno, cubic or bbr.")
  private @Nullable String congestionControl;

  @ArgGroup private @Nullable Coalescing coalescing;

  @Option(
      names = "--keep-alive",
      paramLabel = "SECONDS",
      description = "Idle time before TCP keep-alive probes; 0 turns them off (15).")
  private @Nullable Integer keepAlive;

  @Option(
      names = "--user-timeout",
      paramLabel = "SECONDS",
      description =
          "How long sent data may stay unacknowledged before the peer counts as dead; 0 leaves it to the kernel (30).")
  private @Nullable Integer userTimeout;

  @Option(
      names = "--connect-timeout",
      paramLabel = "SECONDS",
      description = "For a relay's connections onward (10).")
  private @Nullable Integer connectTimeout;

  @Option(
      names = "--idle-timeout",
      paramLabel = "SECONDS",
      description = "A stream without a byte for so long is reset; 0 is never (0).")
  private @Nullable Integer idleTimeout;

  @Option(
      names = "--half-close-timeout",
      paramLabel = "SECONDS",
      description =
          "A stream is reset when no byte moves for so long after one direction has ended; 0 is never (3600).")
  private @Nullable Integer halfCloseTimeout;

  @Option(
      names = "--proxy-protocol",
      description = "Hand the client's address to the destination in a PROXY protocol v2 header.")
  private @Nullable Boolean proxyProtocol;

  @Option(
      names = "--security",
      paramLabel = "KIND",
      description =
          "tls encrypts the hops between relays, plain does not (plain, unless a relay of the chain"
              + " insists on tls). Your own connection and the destination's stay as they are.")
  private @Nullable ChainSecurity security;

  @Option(
      names = "--transport",
      paramLabel = "KIND",
      description =
          "What carries the hops between relays: tcp; coded, which is UDP that random loss does not slow"
              + " down, over TCP where UDP gets no answer; or auto, coded where a plan expects it to be"
              + " 1.5 times as fast (auto, and tcp with --congestion-control or --pacing-rate). --hop"
              + " says it of one hop.")
  private @Nullable TransportChoice transport;

  @Option(
      names = "--pacing-rate",
      paramLabel = "RATE",
      converter = BitRate.Converter.class,
      description =
          "The most that each connection of a relay sends, evenly spaced, such as 50Mbit.")
  private @Nullable BitRate pacingRate;

  @Option(
      names = "--max-streams",
      paramLabel = "N",
      description = "The most streams of the chain at a time; more are reset at once.")
  private @Nullable Integer maxStreams;

  @Option(
      names = "--hop",
      paramLabel = "HOP:OPTION=VALUE[,...]",
      converter = HopOptionsConverter.class,
      description =
          "What one hop has otherwise, at both its ends, such as 1:congestion-control=bbr. Hop 0 leads"
              + " from the first relay onward, the last one to the destination. Options:"
              + " congestion-control, pacing-rate, keep-alive, user-timeout, transport. Once for each"
              + " hop.")
  private List<HopOptions> hops = List.of();

  @Option(
      names = "--scheduler",
      paramLabel = "NAME",
      converter = SchedulerConverter.class,
      description =
          "Which of several pipes carries what: earliest (the one that delivers it first),"
              + " round-robin, or duplicate (all carry everything, for latency) (earliest).")
  private @Nullable PipeScheduler scheduler;

  @Option(
      names = "--patience",
      paramLabel = "SECONDS",
      description =
          "How long a stream that is split into pipes may be without any before it is reset, 1 to"
              + " 3600 (30).")
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
    @Option(names = "--no-delay", description = "TCP_NODELAY on (the default).")
    private boolean noDelay;

    @Option(names = "--nagle", description = "TCP_NODELAY off: small writes are gathered.")
    private boolean nagle;
  }
}
