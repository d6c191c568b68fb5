package io.cascade.studies.transfers;

import io.cascade.lab.Lab;
import io.cascade.lab.Site;
import io.cascade.lab.Topology;
import io.cascade.lab.Topology.LinkSpec;
import io.cascade.lab.Topology.SiteSpec;
import io.cascade.links.LinkShape;
import io.cascade.studies.rivals.Croc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Two hosts with a link between them, and the servers of the contenders. */
final class TransferLab implements AutoCloseable {
  static final double RTT_SECONDS = 0.160;
  static final double MEGABITS = 100;

  private static final String CLIENT = "client";
  private static final String SERVER = "server";
  private static final String CONTROL = "cubic";

  private final Lab lab;
  private final @Nullable SshServer ssh;
  private final Path crocFolder;
  private final String crocRelay;
  private int copies;

  /**
   * Creates the lab.
   *
   * @param contenders whose servers are started
   */
  TransferLab(String name, List<Contender> contenders) throws IOException, InterruptedException {
    lab = Lab.upForThisProcess(topology(name));
    SshServer started = null;
    try {
      boolean needsSsh = contenders.stream().anyMatch(SshCopying::isBy);
      started = needsSsh ? new SshServer(server(), lab.folder().resolve("ssh")) : null;
      ssh = started;
      crocFolder = Files.createDirectory(lab.folder().resolve("croc"));
      crocRelay = contenders.contains(Contender.CROC) ? Croc.startRelay(server(), crocFolder) : "";
    } catch (IOException | InterruptedException | RuntimeException e) {
      end(lab, started);
      throw e;
    }
  }

  private static void end(Lab lab, @Nullable SshServer ssh) {
    if (ssh != null) {
      ssh.close();
    }
    lab.close();
  }

  private static Topology topology(String name) {
    Duration roundTrip = Duration.ofNanos(Math.round(RTT_SECONDS * 1e9));
    long rate = Math.round(MEGABITS * 1e6);
    LinkShape shape =
        LinkShape.of(roundTrip.dividedBy(2), rate)
            .withQueueBytes(LinkShape.bandwidthDelayBytes(roundTrip, rate));
    return new Topology(
        name,
        1,
        List.of(new SiteSpec(CLIENT, CONTROL, List.of()), new SiteSpec(SERVER, CONTROL, List.of())),
        List.of(LinkSpec.symmetric(CLIENT, SERVER, shape)),
        null,
        List.of());
  }

  Path folder() {
    return lab.folder();
  }

  Site client() {
    return lab.site(CLIENT);
  }

  Site server() {
    return lab.site(SERVER);
  }

  /** Bytes of IP packets that have left the client's host towards the server's. */
  long sentBytes() {
    return lab.statistics().of(CLIENT, SERVER).takenBytes();
  }

  /**
   * A copy that has not started.
   *
   * @param into an empty folder
   */
  Copying copying(Contender contender, Path source, Path into) throws IOException {
    copies++;
    Path logs = Files.createDirectory(folder().resolve("copy-" + copies));
    return switch (contender) {
      case SEND -> new SendCopying(this, source, into, logs, false);
      case TAR -> new SendCopying(this, source, into, logs, true);
      case RSYNC, SCP, RCLONE ->
          new SshCopying(contender, client(), Objects.requireNonNull(ssh), source, into, logs);
      case CROC -> new CrocCopying(this, crocRelay, copies, source, into, logs);
    };
  }

  @Override
  public void close() {
    end(lab, ssh);
  }
}
