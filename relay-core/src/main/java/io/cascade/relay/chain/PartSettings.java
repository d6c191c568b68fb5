package io.cascade.relay.chain;

import io.cascade.api.AddressBlock;
import io.cascade.api.orchestrator.ForwardMode;
import io.cascade.api.orchestrator.PipeScheduler;
import io.cascade.api.relay.HopOptions;
import io.cascade.api.relay.Ingress;
import io.cascade.api.relay.PartInlet;
import io.cascade.api.relay.PartOutlet;
import io.cascade.api.relay.StreamOptions;
import io.cascade.api.relay.TransportChoice;
import io.cascade.carriage.transport.CongestionControls;
import io.cascade.carriage.transport.LossResponse;
import io.cascade.carriage.transport.SocketTuning;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.junction.JunctionSettings;
import io.cascade.relay.pump.PumpMode;
import io.cascade.relay.pump.StartGate;
import io.cascade.relay.stream.ConnectionSettings;
import io.cascade.relay.stream.StreamSettings;
import io.cascade.segments.Scheduler;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A part's options with the defaults filled in and checked against this machine.
 *
 * @param streams how its streams are carried
 * @param warmConnections number of connections kept ready to the next relay
 * @param ownBuffer whether the chain itself bounds the bytes held for a stream
 * @param mostStreams concurrent streams, at most
 * @param coded whether coded sessions carry the hop to the next relay
 * @param patience how long a stream that is split into pipes may have no open pipe
 * @param scheduler the scheduler of streams that are split into pipes
 * @param sources clients whose streams the chain's first relay accepts; empty for all
 */
record PartSettings(
    StreamSettings streams,
    int warmConnections,
    boolean ownBuffer,
    int mostStreams,
    boolean coded,
    Duration patience,
    Scheduler scheduler,
    List<AddressBlock> sources) {
  private static final long DEFAULT_SPOOL_BYTES = 8L << 30;
  private static final int DEFAULT_WARM = 4;
  private static final int DEFAULT_SILENCE_SECONDS = 30;

  /** Long enough for a server that computes its answer, short enough to end abandoned streams. */
  private static final int DEFAULT_HALF_CLOSE_SECONDS = 3_600;

  /**
   * Divisor of the buffer: a gate may hold back half of a direction's share, so that the next chunk
   * has room while one is sent.
   */
  private static final int GATE_SHARE = 4;

  /**
   * Round-trip time assumed for a start threshold in windows, where a transport cannot measure it.
   */
  private static final Duration ASSUMED_RTT = Duration.ofMillis(100);

  private static final StreamOptions NONE = StreamOptions.builder().build();

  private static final HopOptions NOTHING_ELSE = HopOptions.builder().build();

  static PartSettings of(
      @Nullable StreamOptions given,
      PartInlet inlet,
      PartOutlet outlet,
      Transport transport,
      PumpMode pump,
      CongestionControls controls)
      throws PartRefused {
    StreamOptions options = given == null ? NONE : given;
    long buffer = or(options.bufferBytes(), StreamSettings.DEFAULT_BUFFER_BYTES);
    StreamSettings streams =
        new StreamSettings(
            buffer,
            gate(options, buffer),
            pump,
            connection(options, at(options, inlet.options()), transport, controls),
            connection(options, at(options, outlet.options()), transport, controls),
            seconds(options.connectTimeoutSeconds(), 10),
            seconds(options.idleTimeoutSeconds(), 0),
            seconds(options.halfCloseTimeoutSeconds(), DEFAULT_HALF_CLOSE_SECONDS));
    int warm = options.warmConnections() == null ? DEFAULT_WARM : options.warmConnections();
    return new PartSettings(
        streams,
        warm,
        options.bufferBytes() != null,
        mostStreams(inlet, options),
        coded(at(options, outlet.options()), outlet, transport),
        options.patienceSeconds() == null
            ? JunctionSettings.PATIENCE
            : Duration.ofSeconds(options.patienceSeconds()),
        scheduler(options.scheduler()),
        sources(inlet.ingress()));
  }

  /** Returns the settings of streams without a chain: the defaults of a chain that sets none. */
  static StreamSettings usual(PumpMode pump, long bufferBytes, CongestionControls controls) {
    ConnectionSettings either =
        new ConnectionSettings(
            SocketTuning.defaults(controls),
            Duration.ofSeconds(DEFAULT_SILENCE_SECONDS),
            controls.offered().contains(LossResponse.CONTROL));
    return new StreamSettings(
        bufferBytes,
        new StartGate.Open(),
        pump,
        either,
        either,
        Duration.ofSeconds(10),
        Duration.ZERO,
        Duration.ofSeconds(DEFAULT_HALF_CLOSE_SECONDS));
  }

  /**
   * Only the first relay counts streams: a later one may still have streams that already ended at
   * the first.
   */
  private static int mostStreams(PartInlet inlet, StreamOptions options) {
    Integer most = inlet.ingress() == null ? null : options.maxStreams();
    return most == null ? Integer.MAX_VALUE : most;
  }

  private static List<AddressBlock> sources(@Nullable Ingress ingress) throws PartRefused {
    List<String> asked = ingress == null ? null : ingress.allowSources();
    try {
      return asked == null ? List.of() : asked.stream().map(AddressBlock::parse).toList();
    } catch (IllegalArgumentException e) {
      throw invalid("allowSources: " + e.getMessage());
    }
  }

  /** Whether streams of a client are accepted. */
  boolean takesFrom(InetAddress client) {
    return sources.isEmpty() || sources.stream().anyMatch(block -> block.contains(client));
  }

  /**
   * @param relayBytes the relay's bound on held bytes of a stream whose chain sets none
   */
  StreamSettings streams(long relayBytes) {
    return ownBuffer ? streams : streams.holding(relayBytes);
  }

  /**
   * Refuses what a junction cannot do: only its segment's memory could hold bytes back.
   *
   * @throws PartRefused with {@link PartRefused.Kind#UNSUPPORTED}
   */
  void checkUngated() throws PartRefused {
    if (!(streams.gate() instanceof StartGate.Open)) {
      throw new PartRefused(
          PartRefused.Kind.UNSUPPORTED,
          "a relay that splits streams into pipes forwards bytes as they arrive; fix: leave out"
              + " startAfterBytes, startAfterWindows, chunkBytes and STORE_AND_FORWARD");
    }
  }

  private static StartGate gate(StreamOptions options, long buffer) throws PartRefused {
    long bytes = or(options.startAfterBytes(), 0);
    long chunk = or(options.chunkBytes(), 0);
    int windows = options.startAfterWindows() == null ? 0 : options.startAfterWindows();
    boolean stores = options.mode() == ForwardMode.STORE_AND_FORWARD;
    if (Stream.of(bytes > 0, chunk > 0, windows > 0, stores).filter(asked -> asked).count() > 1) {
      throw invalid(
          "give one of startAfterBytes, startAfterWindows, chunkBytes and STORE_AND_FORWARD");
    }
    checkShare("startAfterBytes", bytes, buffer);
    checkShare("chunkBytes", chunk, buffer);
    if (stores) {
      return new StartGate.WholeDirection(or(options.spoolBytes(), DEFAULT_SPOOL_BYTES));
    }
    if (windows > 0) {
      return new StartGate.AfterWindows(windows, ASSUMED_RTT);
    }
    if (chunk > 0) {
      return new StartGate.Chunks(chunk);
    }
    return bytes > 0 ? new StartGate.AfterBytes(bytes) : new StartGate.Open();
  }

  private static void checkShare(String name, long bytes, long buffer) throws PartRefused {
    if (bytes > buffer / GATE_SHARE) {
      throw invalid(
          name
              + ": "
              + bytes
              + " (expected: at most a quarter of bufferBytes, "
              + buffer / GATE_SHARE
              + ")");
    }
  }

  /** Returns the options of one hop: its own, or else those of all hops. */
  private static HopOptions at(StreamOptions all, @Nullable HopOptions own) {
    HopOptions first = own == null ? NOTHING_ELSE : own;
    return new HopOptions(
        either(first.congestionControl(), all.congestionControl()),
        either(first.keepAliveSeconds(), all.keepAliveSeconds()),
        either(first.userTimeoutSeconds(), all.userTimeoutSeconds()),
        either(first.pacingBitsPerSecond(), all.pacingBitsPerSecond()),
        either(first.transport(), all.transport()));
  }

  private static ConnectionSettings connection(
      StreamOptions all, HopOptions here, Transport transport, CongestionControls controls)
      throws PartRefused {
    String asked = here.congestionControl();
    if (asked != null) {
      checkCongestionControl(asked, transport, controls);
    }
    SocketTuning tuning =
        new SocketTuning(
            controls.given(asked),
            all.noDelay() == null || all.noDelay(),
            seconds(here.keepAliveSeconds(), 15),
            pacing(here.pacingBitsPerSecond(), transport));
    return new ConnectionSettings(
        tuning,
        seconds(here.userTimeoutSeconds(), DEFAULT_SILENCE_SECONDS),
        asked == null && controls.offered().contains(LossResponse.CONTROL));
  }

  private static boolean coded(HopOptions here, PartOutlet outlet, Transport transport)
      throws PartRefused {
    if (here.transport() != TransportChoice.CODED || outlet.relay() == null) {
      return false;
    }
    if (!transport.isNative()) {
      throw new PartRefused(
          PartRefused.Kind.UNSUPPORTED,
          "the "
              + transport
              + " transport cannot carry coded hops; fix: start the relay with --transport epoll");
    }
    return true;
  }

  private static Scheduler scheduler(@Nullable PipeScheduler asked) {
    return switch (asked) {
      case null -> Scheduler.EARLIEST;
      case EARLIEST -> Scheduler.EARLIEST;
      case ROUND_ROBIN -> Scheduler.ROUND_ROBIN;
      case DUPLICATE -> Scheduler.DUPLICATE;
    };
  }

  private static void checkCongestionControl(
      String name, Transport transport, CongestionControls controls) throws PartRefused {
    if (!transport.isNative()) {
      throw new PartRefused(
          PartRefused.Kind.UNSUPPORTED,
          "the "
              + transport
              + " transport cannot choose a congestion control; fix: start the relay with"
              + " --transport"
              + " epoll");
    }
    String refusal = controls.refusal(name);
    if (refusal != null) {
      throw new PartRefused(PartRefused.Kind.UNSUPPORTED, refusal);
    }
  }

  private static @Nullable Long pacing(@Nullable Long bitsPerSecond, Transport transport)
      throws PartRefused {
    if (bitsPerSecond == null) {
      return null;
    }
    if (!transport.isNative()) {
      throw new PartRefused(
          PartRefused.Kind.UNSUPPORTED,
          "the "
              + transport
              + " transport cannot pace; fix: start the relay with --transport epoll");
    }
    return bitsPerSecond / Byte.SIZE;
  }

  private static PartRefused invalid(String message) {
    return new PartRefused(PartRefused.Kind.INVALID, message);
  }

  private static Duration seconds(@Nullable Integer value, int otherwise) {
    return Duration.ofSeconds(value == null ? otherwise : value);
  }

  private static <T> @Nullable T either(@Nullable T first, @Nullable T second) {
    return first == null ? second : first;
  }

  private static long or(@Nullable Long value, long otherwise) {
    return value == null ? otherwise : value;
  }
}
