package io.cascade.relay.socket;

import io.cascade.relay.transport.Descriptors;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where this host's kernel would hold a relay back, each with the line that mends it. On Linux;
 * nothing is said of what cannot be read.
 *
 * <p>A connection has no more under way than its buffers hold, so they bound its rate over a long
 * round trip whatever the link can do. Of a buffer half is data: the rest is what the kernel keeps
 * about it, and room to grow.
 */
public final class KernelLimits {
  /** Between continents; a link that is nearer needs less. */
  private static final double ROUND_TRIP_SECONDS = 0.1;

  private static final double BITS_PER_SECOND_UNLESS_TOLD = 1e9;
  private static final double DATA_PART = 2;

  private final Path settings;
  private final Descriptors descriptors;
  private final List<String> found = new ArrayList<>();

  /**
   * @param settings the folder of sysctl's settings
   */
  KernelLimits(Path settings, Descriptors descriptors) {
    this.settings = settings;
    this.descriptors = descriptors;
  }

  /**
   * What is too low for a relay, a line each; empty where all is well.
   *
   * @param bitsPerSecond what the relay can carry; null, for 1 Gbit/s, where that is not known
   * @param streams how many it takes at a time
   */
  public static List<String> holdingBack(@Nullable Long bitsPerSecond, int streams) {
    return new KernelLimits(Path.of("/proc/sys"), Descriptors.ofThisProcess())
        .check(bitsPerSecond == null ? BITS_PER_SECOND_UNLESS_TOLD : bitsPerSecond, streams);
  }

  List<String> check(double bitsPerSecond, int streams) {
    found.clear();
    buffer("net.ipv4.tcp_rmem", "receives", bitsPerSecond);
    buffer("net.ipv4.tcp_wmem", "sends", bitsPerSecond);
    mustBeOn("net.ipv4.tcp_window_scaling", "no connection has more than 64 KiB under way");
    mustBeOn("net.ipv4.tcp_sack", "each lost packet of a window costs a round trip");
    mustBeOn("net.ipv4.tcp_moderate_rcvbuf", "receive buffers do not grow with the path");
    pauses();
    queue();
    descriptors(streams);
    return List.copyOf(found);
  }

  private void buffer(String name, String does, double bitsPerSecond) {
    String[] sizes = read(name).split("\\s+", -1);
    if (sizes.length != 3) {
      return;
    }
    long most = Long.parseLong(sizes[2]);
    double data = bitsPerSecond / Byte.SIZE * ROUND_TRIP_SECONDS;
    if (most / DATA_PART < data) {
      long wanted = Long.highestOneBit((long) (data * DATA_PART)) * 2;
      double carries = most / DATA_PART / ROUND_TRIP_SECONDS * Byte.SIZE;
      found(
          String.format(
              Locale.ROOT,
              "%s: a connection %s at most about %.0f Mbit/s over %.0f ms",
              name,
              does,
              carries / 1e6,
              ROUND_TRIP_SECONDS * 1e3),
          name,
          "\"%s %s %d\"".formatted(sizes[0], sizes[1], wanted));
    }
  }

  private void mustBeOn(String name, String otherwise) {
    if (read(name).equals("0")) {
      found(name + " is off: " + otherwise, name, "1");
    }
  }

  /** BBR knows a path after a pause as before it; others then start from ten segments. */
  private void pauses() {
    String name = "net.ipv4.tcp_slow_start_after_idle";
    if (read(name).equals("1") && !read("net.ipv4.tcp_congestion_control").equals("bbr")) {
      found(
          name + " is on: warm connections and streams that paused start slowly again", name, "0");
    }
  }

  private void queue() {
    String name = "net.core.somaxconn";
    String value = read(name);
    if (!value.isEmpty() && Integer.parseInt(value) < Sockets.BACKLOG) {
      found(
          name + ": of connections that come at once all but " + value + " are turned away",
          name,
          Integer.toString(Sockets.BACKLOG));
    }
  }

  private void found(String what, String setting, String mend) {
    found.add(what + "; mend: sysctl -w " + setting + "=" + mend);
  }

  private void descriptors(int streams) {
    long enoughFor = descriptors.streams();
    if (enoughFor < streams) {
      found.add(
          "file descriptors: enough for about %d streams of %d;".formatted(enoughFor, streams)
              + " mend: ulimit -n %d, or LimitNOFILE= of its service"
                  .formatted(Descriptors.neededFor(streams)));
    }
  }

  private String read(String name) {
    try (var in = Files.newInputStream(settings.resolve(name.replace('.', '/')))) {
      // In one go: such files give their value once.
      return new String(in.readNBytes(200), StandardCharsets.US_ASCII).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
