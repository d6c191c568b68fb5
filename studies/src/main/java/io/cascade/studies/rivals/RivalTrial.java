package io.cascade.studies.rivals;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.command.CommandException;
import io.cascade.lab.Lab;
import io.cascade.lab.MeasuredRelays;
import io.cascade.lab.Site;
import io.cascade.lab.process.RandomFile;
import io.cascade.studies.measured.ProcessorTime;
import io.cascade.studies.rivals.RivalResult.Run;
import io.cascade.studies.study.MachineLoad;
import io.cascade.studies.study.Measurement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Measures one path in a new lab, with a new orchestrator and new relays if it has relays. Every
 * contender sends the same file in turns, one at a time.
 */
final class RivalTrial {
  /**
   * Time for relays to measure the links between them; a user's orchestrator has run for longer.
   */
  private static final Duration PROBED = Duration.ofSeconds(12);

  private static final double MOST_BOUNDS = 3;
  private static final double LEAST_LIMIT_SECONDS = 30;
  private static final double SETTLE_SECONDS = 0.3;

  private final RivalPath path;
  private final int repetitions;
  private final List<Competitor> contenders;
  private final List<Run> runs = new ArrayList<>();
  private final List<Double> starts = new ArrayList<>();

  RivalTrial(RivalPath path, int repetitions, List<Competitor> contenders) {
    this.path = path;
    this.repetitions = repetitions;
    this.contenders = contenders;
  }

  /**
   * Brings the lab up, measures, and takes it down.
   *
   * @param name of the lab
   */
  RivalResult run(String name) throws Exception {
    RandomFile.checkRoom(Path.of(System.getProperty("java.io.tmpdir", "/tmp")), path.bytes());
    try (Lab lab = Lab.upForThisProcess(path.topology(name))) {
      UdpFilter.install(lab, path);
      Path file = lab.folder().resolve("random.bin");
      RandomFile.write(file, path.bytes(), path.seed());
      Map<Competitor, Mover> movers = movers(lab, file);
      if (!path.relays().isEmpty()) {
        MeasuredRelays relays =
            new MeasuredRelays(new OrchestratorClient(lab.dashboard().orElseThrow(), lab.token()));
        if (path.udp() == RivalPath.Udp.BLOCKED) {
          relays.awaitUp(path.relays().size());
        } else {
          relays.await(path.relays().size());
        }
        TimeUnit.NANOSECONDS.sleep(PROBED.toNanos());
      }
      measure(movers);
      if (!Files.exists(file)) {
        throw new CommandException("the lab was taken down while it was measured");
      }
    } catch (ProblemException | UnreachableException e) {
      throw new CommandException("the orchestrator: " + e, e);
    }
    return new RivalResult(path, repetitions, contenders, starts, runs, null);
  }

  private Map<Competitor, Mover> movers(Lab lab, Path file)
      throws IOException, InterruptedException {
    Site client = lab.site(RivalPath.CLIENT);
    Site server = lab.site(RivalPath.SERVER);
    Map<Competitor, Mover> movers = new EnumMap<>(Competitor.class);
    for (Competitor contender : contenders) {
      movers.put(
          contender,
          switch (contender) {
            case SEND -> new CascadeSend(lab, file, path.relays().isEmpty());
            case TCP -> new TcpCopy(client, server, file, RivalPath.CONTROL, 1);
            case BBR -> new TcpCopy(client, server, file, "bbr", 1);
            case EIGHT -> new TcpCopy(client, server, file, RivalPath.CONTROL, 8);
            case CROC -> new Croc(lab, file, path.rttSeconds());
            case UFTP -> new Uftp(lab, file, path);
          });
    }
    return movers;
  }

  private void measure(Map<Competitor, Mover> movers) throws Exception {
    for (int repetition = 0; repetition < repetitions; repetition++) {
      if (movers.get(Competitor.SEND) instanceof CascadeSend send) {
        starts.add(send.startSeconds());
      }
      // Rotated, so that no contender is always first and drift affects all alike.
      List<Competitor> order = new ArrayList<>(contenders);
      Collections.rotate(order, -repetition);
      for (Competitor contender : order) {
        if (wasCutOffInMost(contender)) {
          continue; // Its median is at least the limit already, whatever its further runs would
          // take.
        }
        runs.add(once(contender, Objects.requireNonNull(movers.get(contender)), repetition));
        // Packets that are still under way leave the links and their queues.
        TimeUnit.NANOSECONDS.sleep(Math.round((SETTLE_SECONDS + 2 * path.rttSeconds()) * 1e9));
      }
    }
  }

  private boolean wasCutOffInMost(Competitor contender) {
    return 2 * runs.stream().filter(run -> run.contender() == contender && run.isCutOff()).count()
        > repetitions;
  }

  private Run once(Competitor contender, Mover mover, int repetition) throws Exception {
    Duration limit = limit(contender);
    double load = MachineLoad.oneMinute();
    ProcessorTime before = ProcessorTime.now();
    Double seconds = null;
    boolean isCutOff = false;
    String note;
    try {
      Mover.Moved moved = mover.move(limit);
      seconds = moved.seconds();
      note = moved.note();
    } catch (Mover.CutOff e) {
      seconds = limit.toNanos() / 1e9;
      isCutOff = true;
      note = "";
    } catch (CommandException | IOException e) {
      note = Measurement.why(e);
    }
    double busy = ProcessorTime.now().busySince(before);
    return new Run(contender, repetition, seconds, isCutOff, busy, load, note);
  }

  /**
   * Limit of a run: a rival that takes 1.5 times as long as Cascade is not the best one and need
   * not finish.
   */
  private Duration limit(Competitor contender) {
    double most = MOST_BOUNDS * Bound.seconds(path) + LEAST_LIMIT_SECONDS;
    if (contender != Competitor.SEND) {
      double ours =
          runs.stream()
              .filter(run -> run.contender() == Competitor.SEND)
              .map(Run::seconds)
              .filter(Objects::nonNull)
              .mapToDouble(Double::doubleValue)
              .max()
              .orElse(most);
      most = Math.min(most, 1 + 1.5 * ours);
    }
    return Duration.ofNanos(Math.round(most * 1e9));
  }
}
