package io.cascade.studies.rivals;

import io.cascade.lab.Lab;
import io.cascade.lab.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * croc 10 with its own relay on the server's host, where the receiver reaches it without delay. The
 * time is that of the receiver, because the sender already waits, as it does until a user has typed
 * its code.
 */
public final class Croc implements Mover {
  private static final int PORT = 9_009;

  /** Output of a sender that waits for its receiver. */
  public static final Pattern WAITING = Pattern.compile("Code is");

  private static final Pattern SERVING = Pattern.compile("starting TCP server on \\S*:" + PORT);
  private static final Duration READY = Duration.ofSeconds(20);

  /** Upper estimate of the round trips between sender and relay after the code is shown. */
  private static final double ROUND_TRIPS = 12;

  private final Lab lab;
  private final Path file;
  private final Path folder;
  private final String relay;
  private final long settleNanos;
  private int transfers;

  /** Starts the relay. */
  Croc(Lab lab, Path file, double rttSeconds) throws IOException, InterruptedException {
    this.lab = lab;
    this.file = file;
    this.folder = Files.createDirectory(lab.folder().resolve("croc"));
    this.relay = startRelay(lab.site(RivalPath.SERVER), folder);
    this.settleNanos = settleNanos(rttSeconds);
  }

  /**
   * Starts a relay that ends with its lab.
   *
   * @return its address
   */
  public static String startRelay(Site site, Path folder) throws IOException, InterruptedException {
    new Program(site, List.of("croc", "relay"), Map.of(), folder, "relay")
        .awaitSaid(SERVING, READY);
    return site.address() + ":" + PORT;
  }

  /**
   * Time until a sender that {@link #WAITING waits} has finished everything that it does before a
   * receiver connects.
   */
  public static long settleNanos(double rttSeconds) {
    return Math.round((1 + ROUND_TRIPS * rttSeconds) * 1e9);
  }

  /** The environment of both ends of one transfer. */
  public static Map<String, String> code(int number) {
    return Map.of("CROC_SECRET", "%04d-lake-oak-stone".formatted(number));
  }

  /** The command that sends a file or folder. */
  public static List<String> sender(String relay, Path source) {
    return List.of(
        "croc",
        "--ignore-stdin",
        "--disable-clipboard",
        "--relay",
        relay,
        "send",
        "--no-local",
        source.toString());
  }

  /** The command that receives into a folder. */
  public static List<String> receiver(String relay, Path into) {
    return List.of(
        "croc",
        "--yes",
        "--overwrite",
        "--ignore-stdin",
        "--disable-clipboard",
        "--relay",
        relay,
        "--out",
        into.toString());
  }

  @Override
  public Moved move(Duration limit) throws Exception {
    Map<String, String> code = code(++transfers);
    try (Program sender =
        new Program(lab.site(RivalPath.CLIENT), sender(relay, file), code, folder, "send")) {
      sender.awaitSaid(WAITING, READY);
      TimeUnit.NANOSECONDS.sleep(settleNanos);
      long start = System.nanoTime();
      long deadline = start + limit.toNanos();
      try (Program receiver =
          new Program(
              lab.site(RivalPath.SERVER),
              receiver(relay, Files.createDirectories(folder.resolve("arrived"))),
              code,
              folder,
              "receive")) {
        receiver.awaitEnd(deadline);
        sender.awaitEnd(deadline);
        double seconds = (System.nanoTime() - start) / 1e9;
        Path arrived = folder.resolve("arrived").resolve(file.getFileName());
        if (Files.mismatch(file, arrived) >= 0) {
          throw new IOException("another file has arrived");
        }
        Files.delete(arrived);
        return new Moved(seconds, "");
      }
    }
  }
}
