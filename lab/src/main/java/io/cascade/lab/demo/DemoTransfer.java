package io.cascade.lab.demo;

import io.cascade.api.HostPort;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainStream;
import io.cascade.api.orchestrator.StreamAtRelay;
import io.cascade.client.terminal.ProgressLine;
import io.cascade.client.transfer.FileSender;
import io.cascade.client.transfer.Original;
import io.cascade.client.transfer.Received;
import io.cascade.client.transfer.Sent;
import io.cascade.client.transfer.connection.TcpConnection;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.receiver.Outcome;
import io.cascade.client.transfer.receiver.ReceivingPort;
import io.cascade.client.transfer.wire.TransferHeader;
import io.cascade.client.ways.Chains;
import io.cascade.command.CommandException;
import io.cascade.command.DataSize;
import io.cascade.contract.Quantities;
import io.cascade.lab.demo.LoopbackReport.RelayTraffic;
import io.cascade.lab.demo.LoopbackReport.TransferReport;
import io.cascade.lab.process.LocalCluster;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The transfer of the demonstration's file through a chain, and the relays' records of it. */
record DemoTransfer(
    LocalCluster cluster,
    OrchestratorClient client,
    Chain chain,
    DemoOutput story,
    @Nullable Boolean progress) {
  /** Time without progress after which a transfer fails. */
  static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Sends the file; if that fails, prints every relay's record of the stream. */
  TransferReport run(ReceivingPort receiver, Path source, long bytes)
      throws IOException, InterruptedException {
    try {
      return send(receiver, source, bytes);
    } catch (TransferFailed e) {
      tellWhatRelaysSay();
      throw e;
    }
  }

  private TransferReport send(ReceivingPort receiver, Path source, long bytes)
      throws IOException, InterruptedException {
    HostPort entrance = Chains.ingress(chain);
    story.say("");
    story.say("Sending %s through %s".formatted(DataSize.format(bytes), entrance));
    Sent sent;
    try (FileChannel content = FileChannel.open(source)) {
      sent =
          new FileSender(
                  TcpConnection.connect(entrance, Duration.ofSeconds(15), false),
                  PATIENCE,
                  ProgressLine.of("r1 … r" + chain.relays().size(), progress))
              .send(new TransferHeader("random.bin", bytes), content, Original.NONE);
    }
    Received received =
        switch (receiver.next()) {
          case Outcome.Arrived(Received whole) -> whole;
          case Outcome.Broken(String reason, _) ->
              throw new CommandException("receiver: " + reason);
        };
    double seconds = sent.elapsed().toNanos() / 1e9;
    TransferReport report =
        new TransferReport(
            sent.bytes(),
            sent.wireBytes(),
            Files.size(received.file()),
            seconds,
            sent.bytes() * 8 / seconds,
            sent.sha256().toString(),
            received.sha256().toString(),
            receiver.ignored());
    story.say(
        "%s in %s: %s"
            .formatted(
                DataSize.format(bytes),
                Quantities.seconds(seconds),
                Quantities.rate(report.bitsPerSecond())));
    story.say(
        "  (the model predicts what the network allows; here every byte is copied and digested by %d processors that all processes share)"
            .formatted(Runtime.getRuntime().availableProcessors()));
    story.say("  sha256 sent      " + report.sha256Sent());
    story.say("  sha256 received  " + report.sha256Received());
    return report;
  }

  private void tellWhatRelaysSay() {
    for (ChainStream stream : client.streams(chain.id()).streams()) {
      for (StreamAtRelay relay : stream.relays()) {
        story.say(
            "  %s: %s, forward %d in and %d out, backward %d in and %d out, %s (%s)"
                .formatted(
                    relay.relay(),
                    relay.state(),
                    relay.forwardBytesIn(),
                    relay.forwardBytesOut(),
                    relay.backwardBytesIn(),
                    relay.backwardBytesOut(),
                    relay.reason(),
                    relay.detail()));
      }
    }
  }

  /** Every relay's record of the stream, once all of them have recorded its end. */
  List<RelayTraffic> traffic() throws InterruptedException {
    List<ChainStream> found = new ArrayList<>();
    cluster.until(
        "the relays to report the stream's end",
        () -> {
          found.clear();
          client.streams(chain.id()).streams().stream()
              .filter(stream -> stream.relays().size() == chain.relays().size())
              .filter(stream -> !stream.state().equals("RUNNING"))
              .max(Comparator.comparingLong(stream -> stream.relays().getFirst().forwardBytesIn()))
              .ifPresent(found::add);
          return !found.isEmpty();
        });
    return found.getFirst().relays().stream().map(DemoTransfer::traffic).toList();
  }

  private static RelayTraffic traffic(StreamAtRelay relay) {
    return new RelayTraffic(
        relay.relay(),
        relay.state(),
        relay.forwardBytesIn(),
        relay.forwardBytesOut(),
        relay.backwardBytesIn(),
        relay.backwardBytesOut(),
        relay.peakHeldBytes());
  }
}
