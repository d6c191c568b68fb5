package io.cascade.studies.sharing;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.command.CommandException;
import io.cascade.lab.Lab;
import io.cascade.lab.MeasuredRelays;
import io.cascade.lab.Site;
import io.cascade.lab.process.RandomFile;
import io.cascade.lab.traffic.Sender;
import io.cascade.lab.traffic.TrafficSink;
import io.cascade.studies.experiment.SiteSettings;
import io.cascade.studies.measured.KeptReceiver;
import io.cascade.studies.measured.ProcessorTime;
import io.cascade.studies.measured.VerbRun;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One path: each flow runs beside a CUBIC connection that starts some seconds before and lasts
 * until after its end.
 */
final class SharingTrial implements AutoCloseable {
  private static final int PORT = 9_000;

  /** Eight seconds at the link's full rate, some sixteen at half of it. */
  private static final long BYTES = 100_000_000;

  private static final Duration LIMIT = Duration.ofMinutes(2);

  /** Time for the connection that starts first to reach its rate. */
  private static final long HEAD_START_SECONDS = 4;

  private final SharingPath path;
  private final Lab lab;
  private final Path file;

  private SharingTrial(SharingPath path, Lab lab) {
    this.path = path;
    this.lab = lab;
    this.file = lab.folder().resolve("random.bin");
  }

  /** The fields of the document of {@code send} that are used here. */
  private record Sent(double seconds) {}

  /**
   * Creates the path.
   *
   * @param name of the lab
   */
  static SharingTrial up(SharingPath path, String name) throws Exception {
    SharingTrial trial = new SharingTrial(path, Lab.upForThisProcess(path.topology(name)));
    try {
      RandomFile.write(trial.file, BYTES, 1);
      KeptReceiver.start(trial.lab, SharingPath.SERVER, PORT);
      new MeasuredRelays(
              new OrchestratorClient(trial.lab.dashboard().orElseThrow(), trial.lab.token()))
          .await(1);
    } catch (Exception e) {
      trial.close();
      throw e;
    }
    return trial;
  }

  SharingPath path() {
    return path;
  }

  @Override
  public void close() {
    lab.close();
  }

  SharingRun once(SharingFlow flow, int repetition) throws Exception {
    try (TrafficSink sink = TrafficSink.at(lab.site(SharingPath.SERVER), 1);
        Sender others = connect(lab, sink, "cubic")) {
      others.send(Long.MAX_VALUE);
      TimeUnit.SECONDS.sleep(HEAD_START_SECONDS);
      ProcessorTime before = ProcessorTime.now();
      long from = System.nanoTime();
      try {
        double seconds = flow.options().isEmpty() ? plain(lab, flow) : send(lab, flow, file);
        long to = System.nanoTime();
        long began = to - Math.round(seconds * 1e9);
        return new SharingRun(
            path,
            flow,
            repetition,
            8 * BYTES / seconds,
            sink.bitsPerSecond(began, to),
            ProcessorTime.now().busySince(before),
            "");
      } catch (CommandException e) {
        return new SharingRun(
            path,
            flow,
            repetition,
            null,
            sink.bitsPerSecond(from, System.nanoTime()),
            ProcessorTime.now().busySince(before),
            String.valueOf(e.getMessage()));
      }
    }
  }

  private static Sender connect(Lab lab, TrafficSink sink, String control) throws Exception {
    InetSocketAddress to =
        new InetSocketAddress(lab.site(SharingPath.SERVER).address(), sink.port());
    Site client = lab.site(SharingPath.CLIENT);
    SiteSettings.control(client, control);
    Sender made = Sender.connect(client, to, 1);
    SiteSettings.control(client, "cubic");
    return made;
  }

  /** Returns the seconds from the flow's first byte until all bytes had arrived. */
  private static double plain(Lab lab, SharingFlow flow) throws Exception {
    try (TrafficSink sink = TrafficSink.at(lab.site(SharingPath.SERVER), 1);
        Sender sender = connect(lab, sink, flow == SharingFlow.BBR ? "bbr" : "cubic")) {
      long start = System.nanoTime();
      sender.send(BYTES);
      if (!sink.awaitEnd(LIMIT.toNanos() / 1e9)) {
        throw new CommandException("took longer than " + LIMIT.toSeconds() + " s");
      }
      return (sink.lastNanos() - start) / 1e9;
    }
  }

  private static double send(Lab lab, SharingFlow flow, Path file) throws InterruptedException {
    List<String> options = new ArrayList<>(flow.options());
    options.add("--json");
    return VerbRun.send(lab, SharingPath.CLIENT, file, SharingPath.SERVER + ":" + PORT, options)
        .await(Sent.class, LIMIT)
        .seconds();
  }
}
