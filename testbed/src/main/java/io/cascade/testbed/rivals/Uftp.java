package io.cascade.testbed.rivals;

import io.cascade.testbed.lab.Lab;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * uftp over UDP to one receiver, with its own congestion control: a user does not know the rate of
 * the path.
 */
final class Uftp implements Mover {
  private final Lab lab;
  private final Path file;
  private final Path folder;
  private final Path arrived;

  /** Starts the receiver. */
  Uftp(Lab lab, Path file) throws IOException {
    this.lab = lab;
    this.file = file;
    this.folder = Files.createDirectory(lab.folder().resolve("uftp"));
    this.arrived = Files.createDirectory(folder.resolve("arrived"));
    new Program(
        lab.site(RivalPath.SERVER),
        List.of("uftpd", "-d", "-D", arrived.toString()),
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
            List.of("uftp", "-C", "tfmcc", "-M", server, "-P", server, file.toString()),
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
