package io.cascade.gateway.scap;

import io.cascade.api.orchestrator.SplitterOperations;
import io.cascade.api.orchestrator.SplitterPipe;
import io.cascade.api.orchestrator.SplitterPolicy;
import io.cascade.api.orchestrator.SplitterReport;
import io.cascade.api.orchestrator.SplitterSide;
import io.cascade.api.scap.ScapPipe;
import io.cascade.api.scap.ScapPolicy;
import io.cascade.api.scap.ScapSide;
import io.cascade.command.CommandException;
import io.cascade.packets.scap.ScapCounts;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A splitter/combiner's status as the orchestrator's contract has it. Used by one thread, which is
 * not the one that carries packets.
 */
final class SplitterReports {
  /** The contract's bound. */
  private static final int MOST_SELECTION_CHARACTERS = 512;

  private final ScapHost host;
  private final ScapStatus status;
  private final String version;
  private final UUID instance = UUID.randomUUID();
  private final long startedNanos = System.nanoTime();

  /** Bytes sent over each pipe at the time of the previous report, by pipe number. */
  private final long[] sentBefore;

  SplitterReports(ScapHost host, String version) {
    this.host = host;
    this.status = new ScapStatus(host);
    this.version = version;
    this.sentBefore = new long[host.sides().stream().mapToInt(side -> side.specs().size()).sum()];
  }

  /** State at one time on the thread that carries packets. */
  private record Seen(List<ScapPipe> pipes, ScapCounts counts, ScapPolicy policy) {}

  /**
   * The next report, unsigned.
   *
   * @throws CommandException where the splitter/combiner does not answer
   */
  SplitterReport next() {
    Seen seen = host.ask(() -> new Seen(status.pipes(), host.counts(), status.policy()));
    ScapCounts counts = seen.counts();
    return SplitterReport.builder()
        .instance(instance)
        .version(version)
        .publicKey("")
        .sequence(0L)
        .signature("")
        .upSeconds((System.nanoTime() - startedNanos) / 1e9)
        .policy(policy(seen.policy()))
        .connections((long) counts.connections())
        .refusedConnections(counts.refusedConnections())
        .operations(
            new SplitterOperations(
                counts.split(), counts.duplicated(), counts.delayed(), counts.dropped()))
        .pipes(pipes(seen.pipes()))
        .build();
  }

  private static SplitterPolicy policy(ScapPolicy policy) {
    String selection = policy.selection();
    return new SplitterPolicy(
        policy.mode(),
        policy.signalling(),
        selection.length() <= MOST_SELECTION_CHARACTERS
            ? selection
            : selection.substring(0, MOST_SELECTION_CHARACTERS - 1) + "…",
        policy.splitAfterBytes());
  }

  private List<SplitterPipe> pipes(List<ScapPipe> all) {
    long[] given = new long[sentBefore.length];
    Map<ScapSide, Long> givenToSide = new EnumMap<>(ScapSide.class);
    for (ScapPipe pipe : all) {
      int number = pipe.number();
      given[number] = pipe.sentBytes() - sentBefore[number];
      sentBefore[number] = pipe.sentBytes();
      givenToSide.merge(pipe.side(), given[number], Long::sum);
    }
    List<SplitterPipe> pipes = new ArrayList<>();
    for (ScapPipe pipe : all) {
      long side = givenToSide.getOrDefault(pipe.side(), 0L);
      pipes.add(pipe(pipe, side == 0 ? null : (Double) ((double) given[pipe.number()] / side)));
    }
    return pipes;
  }

  private static SplitterPipe pipe(ScapPipe pipe, @Nullable Double share) {
    return SplitterPipe.builder()
        .side(SplitterSide.valueOf(pipe.side().name()))
        .device(pipe.device())
        .peer(pipe.peer())
        .up(pipe.up())
        .employed(pipe.employed())
        .share(share)
        .roundTripMillis(pipe.roundTripMillis())
        .smoothedRoundTripMillis(pipe.smoothedRoundTripMillis())
        .bitsPerSecond(pipe.bitsPerSecond())
        .lossRate(Math.clamp(pipe.lossProbability(), 0.0, 1.0))
        .sentBytes(pipe.sentBytes())
        .receivedBytes(pipe.receivedBytes())
        .build();
  }
}
