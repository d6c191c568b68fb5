package io.cascade.studies.rivals;

import io.cascade.command.CommandException;
import io.cascade.lab.Lab;
import io.cascade.lab.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * uftp over UDP to one receiver, with a configured rate a little below that of the bottleneck. uftp
 * can determine the rate only by TFMCC, which losses slow down as they do TCP.
 */
final class Uftp implements Mover {
  /** Share of the bottleneck's rate; the rest is for headers that uftp does not count. */
  private static final double SHARE = 0.95;

  private final Lab lab;
  private final Path file;
  private final Path folder;
  private final Path arrived;
  private final long kilobits;

  /** Starts the receiver. */
  Uftp(Lab lab, Path file, RivalPath path) throws IOException {
    this.lab = lab;
    this.file = file;
    this.folder = Files.createDirectory(lab.folder().resolve("uftp"));
    this.arrived = Files.createDirectory(folder.resolve("arrived"));
    this.kilobits = Math.round(SHARE * 1e3 * path.bottleneckMegabits());
    Site server = lab.site(RivalPath.SERVER);
    String device = "to-" + path.lastButServer();
    // uftpd accepts only an address on a device other than loopback.
    Site.Ran ran = server.run("ip", "address", "add", server.address() + "/32", "dev", device);
    if (ran.exitCode() != 0) {
      throw new CommandException("ip: " + ran.err().strip());
    }
    new Program(
        server,
        List.of("uftpd", "-d", "-I", device, "-U", "0x00000001", "-D", arrived.toString()),
        Map.of(),
        folder,
        "receive");
  }

  @Override
  public Moved move(Duration limit) throws Exception {
    String server = lab.site(RivalPath.SERVER).address();
    long start = System.nanoTime();
    try (Program sender =
        new Program(
            lab.site(RivalPath.CLIENT),
            List.of(
                "uftp",
                "-R",
                Long.toString(kilobits),
                "-I",
                lab.site(RivalPath.CLIENT).address(),
                "-M",
                server,
                "-P",
                server,
                file.toString()),
            Map.of(),
            folder,
            "send")) {
      sender.awaitEnd(start + limit.toNanos());
      double seconds = (System.nanoTime() - start) / 1e9;
      Path there = arrived.resolve(file.getFileName());
      if (Files.mismatch(file, there) >= 0) {
        throw new IOException("another file has arrived");
      }
      Files.delete(there);
      return new Moved(seconds, "");
    }
  }
}
