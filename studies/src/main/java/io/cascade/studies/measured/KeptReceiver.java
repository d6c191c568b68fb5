package io.cascade.studies.measured;

import io.cascade.lab.Lab;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/** A {@code receive} at a lab's site that accepts one file after the other, until the lab ends. */
public final class KeptReceiver {
  private static final Pattern LISTENING = Pattern.compile("receiving on ");
  private static final Duration READY = Duration.ofSeconds(60);

  private KeptReceiver() {}

  /** Starts the receiver for files in a new folder of the lab, and waits until it listens. */
  public static void start(Lab lab, String site, int port)
      throws IOException, InterruptedException {
    Path arrived = Files.createDirectory(lab.folder().resolve("arrived"));
    new VerbRun(
            lab.site(site),
            List.of(
                "receive",
                "--json",
                "--open-to-anyone", // Compared with TCP without encryption.
                "--keep",
                "--overwrite",
                "--no-progress",
                "--listen",
                "0.0.0.0:" + port,
                "--output",
                arrived.toString()),
            lab.folder(),
            "receive")
        .awaitSaid(LISTENING, READY);
  }
}
