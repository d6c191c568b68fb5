package io.cascade.carriage.socket;

import io.cascade.carriage.transport.Capabilities;
import io.cascade.carriage.transport.Descriptors;
import io.cascade.carriage.transport.KernelPipe;
import io.cascade.kernel.settings.KernelSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Limits of this host's kernel that would hold a relay back, each with the line that fixes it.
 * Linux only; limits that cannot be read are skipped.
 *
 * <p>A connection has no more data in flight than its buffers hold, so they bound its rate over a
 * long round trip, whatever the link's capacity. Half of a buffer holds data; the rest is the
 * kernel's overhead, and room to grow.
 */
public final class KernelLimits {
  /** Round trip between continents; a nearer link needs less. */
  private static final double ROUND_TRIP_SECONDS = 0.1;

  private static final double BITS_PER_SECOND_UNLESS_TOLD = 1e9;
  private static final double DATA_PART = 2;

  /** Usual size of a page. With larger pages, more is requested than is needed. */
  private static final int PAGE_BYTES = 4_096;

  private static final long PAGES_OF_A_PIPE = KernelPipe.WANTED_BYTES / PAGE_BYTES;

  private final KernelSettings settings;
  private final Descriptors descriptors;
  private final Capabilities capabilities;
  private final List<String> found = new ArrayList<>();

  KernelLimits(KernelSettings settings, Descriptors descriptors, Capabilities capabilities) {
    this.settings = settings;
    this.descriptors = descriptors;
    this.capabilities = capabilities;
  }

  /**
   * Lists the limits that are too low for a relay, one line each; empty if none is.
   *
   * @param bitsPerSecond the relay's capacity; null if unknown, for 1 Gbit/s
   * @param streams most concurrent streams
   * @param splicingLoops number of event loops that keep pipes to splice through; 0 if nothing is
   *     spliced
   */
  public static List<String> holdingBack(
      @Nullable Long bitsPerSecond, int streams, int splicingLoops) {
    return new KernelLimits(
            KernelSettings.ofThisHost(), Descriptors.ofThisProcess(), Capabilities.ofThisProcess())
        .check(
            bitsPerSecond == null ? BITS_PER_SECOND_UNLESS_TOLD : bitsPerSecond,
            streams,
            splicingLoops);
  }

  List<String> check(double bitsPerSecond, int streams, int splicingLoops) {
    found.clear();
    buffer(SocketBuffers.RECEIVING, "receives", bitsPerSecond);
    buffer(SocketBuffers.SENDING, "sends", bitsPerSecond);
    mustBeOn("net.ipv4.tcp_window_scaling", "no connection has more than 64 KiB under way");
    mustBeOn("net.ipv4.tcp_sack", "each lost packet of a window costs a round trip");
    mustBeOn("net.ipv4.tcp_moderate_rcvbuf", "receive buffers do not grow with the path");
    pauses();
    queue();
    if (splicingLoops > 0) {
      pipeSize();
      pipePages(splicingLoops);
    }
    descriptors(streams);
    return List.copyOf(found);
  }

  private void buffer(String name, String does, double bitsPerSecond) {
    String[] sizes = settings.read(name).split("\\s+", -1);
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
    if (settings.read(name).equals("0")) {
      found(name + " is off: " + otherwise, name, "1");
    }
  }

  /** BBR keeps its model of a path over a pause; other controls then restart from ten segments. */
  private void pauses() {
    String name = "net.ipv4.tcp_slow_start_after_idle";
    if (settings.read(name).equals("1")
        && !settings.read("net.ipv4.tcp_congestion_control").equals("bbr")) {
      found(
          name + " is on: warm connections and streams that paused start slowly again", name, "0");
    }
  }

  private void queue() {
    String name = "net.core.somaxconn";
    String value = settings.read(name);
    if (!value.isEmpty() && Integer.parseInt(value) < Sockets.BACKLOG) {
      found(
          name
              + " limits connections that wait to be accepted: all but "
              + value
              + " at once are refused",
          name,
          Integer.toString(Sockets.BACKLOG));
    }
  }

  /** The kernel refuses larger pipes, and the relay cannot work with smaller ones. */
  private void pipeSize() {
    String name = "fs.pipe-max-size";
    String value = settings.read(name);
    if (!value.isEmpty()
        && Long.parseLong(value) < KernelPipe.WANTED_BYTES
        && !capabilities.liftPipeSize()) {
      found(
          name
              + ": the kernel refuses the relay pipes of "
              + KernelPipe.WANTED_BYTES
              + " bytes, and all streams are copied",
          name,
          Integer.toString(KernelPipe.WANTED_BYTES));
    }
  }

  /** All processes of a user share them, including those in containers. */
  private void pipePages(int loops) {
    String name = "fs.pipe-user-pages-soft";
    String value = settings.read(name);
    // 0 means no limit.
    if (value.isEmpty() || value.equals("0") || capabilities.liftPipePages()) {
      return;
    }
    long pages = Long.parseLong(value);
    long kept = (long) loops * KernelPipe.MOST_SPARE;
    long wanted = kept * PAGES_OF_A_PIPE;
    if (pages < wanted) {
      found(
          ("%s: enough for %d pipes of the %d that the relay keeps, and streams without one are"
                  + " copied")
              .formatted(name, pages / PAGES_OF_A_PIPE, kept),
          name,
          Long.toString(wanted));
    }
  }

  private void found(String what, String setting, String fix) {
    found.add(what + "; fix: sysctl -w " + setting + "=" + fix);
  }

  private void descriptors(int streams) {
    long enoughFor = descriptors.streams();
    if (enoughFor < streams) {
      found.add(
          "file descriptors: enough for about %d streams of %d;".formatted(enoughFor, streams)
              + " fix: ulimit -n %d, or LimitNOFILE= of its service"
                  .formatted(Descriptors.neededFor(streams)));
    }
  }
}
