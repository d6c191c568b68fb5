package io.cascade.client.doctor;

import io.cascade.carriage.socket.KernelLimits;
import io.cascade.command.DataSize;
import io.cascade.command.ListenFailure;
import java.io.IOException;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks this host.
 *
 * @param proc the kernel's {@code /proc}
 */
record HostChecks(Path proc) {
  /** Streams that a relay admits by default. */
  private static final int STREAMS = 10_000;

  /**
   * Memory that a relay may use by default for buffers, and as much again for its virtual machine
   * and the system.
   */
  private static final long USUAL_MEMORY = 512L << 20;

  private static final Pattern AVAILABLE =
      Pattern.compile("^MemAvailable: *(\\d+) kB$", Pattern.MULTILINE);

  static HostChecks ofThisHost() {
    return new HostChecks(Path.of("/proc"));
  }

  /**
   * Checks the kernel's limits on buffers, queues, pipes and descriptors: enough for 1 Gbit/s over
   * 100 ms.
   */
  List<Finding> limits() {
    List<String> low =
        KernelLimits.holdingBack(null, STREAMS, Runtime.getRuntime().availableProcessors());
    if (low.isEmpty()) {
      return List.of(
          Finding.good(
              "kernel", "buffers for 1 Gbit/s over 100 ms, descriptors for 10,000 streams"));
    }
    return low.stream()
        .map(line -> line.split(";? fix: ", 2))
        .map(parts -> Finding.note("kernel", parts[0], parts.length > 1 ? parts[1] : null))
        .toList();
  }

  /**
   * Checks the congestion controls that connections may use; BBR keeps its rate under random loss.
   */
  Finding congestionControls() {
    String name = "congestion control";
    List<String> available = words("sys/net/ipv4/tcp_available_congestion_control");
    List<String> allowed = words("sys/net/ipv4/tcp_allowed_congestion_control");
    String found =
        "%s by default; offered: %s; allowed to every user: %s"
            .formatted(
                String.join("", words("sys/net/ipv4/tcp_congestion_control")),
                list(available),
                list(allowed));
    if (!available.contains("bbr")) {
      return Finding.note(
          name, found, "modprobe tcp_bbr, and a line tcp_bbr in /etc/modules-load.d");
    }
    if (!allowed.contains("bbr")) {
      return Finding.note(
          name,
          found,
          "sysctl -w net.ipv4.tcp_allowed_congestion_control=\"%s bbr\""
              .formatted(String.join(" ", allowed)));
    }
    return Finding.good(name, found);
  }

  private static String list(List<String> names) {
    return names.isEmpty() ? "none" : String.join(", ", names);
  }

  Finding memory() {
    Matcher found = AVAILABLE.matcher(text("meminfo"));
    if (!found.find()) {
      return Finding.note("memory", "the kernel does not say how much is free", null);
    }
    long bytes = Long.parseLong(found.group(1)) << 10;
    String words = DataSize.format(bytes) + " free";
    return bytes >= USUAL_MEMORY
        ? Finding.good("memory", words)
        : Finding.note(
            "memory", words + ", less than a relay may take", "relay --memory 64MiB, or free some");
  }

  /** Checks whether the default ports can be bound. */
  List<Finding> ports() {
    List<Finding> found = new ArrayList<>();
    for (UsualPort port : UsualPort.values()) {
      List<String> taken = new ArrayList<>();
      String why = "";
      try (ServerSocket tcp = new ServerSocket()) {
        tcp.setReuseAddress(true);
        tcp.bind(new InetSocketAddress(port.number));
      } catch (BindException e) {
        taken.add("TCP");
        why = ListenFailure.words(e);
      } catch (IOException e) {
        taken.add("TCP");
        why = String.valueOf(e.getMessage());
      }
      if (port.udp) {
        try (DatagramSocket udp = new DatagramSocket(null)) {
          udp.bind(new InetSocketAddress(port.number));
        } catch (IOException e) {
          taken.add("UDP");
          why = e instanceof BindException bind ? ListenFailure.words(bind) : why;
        }
      }
      if (!taken.isEmpty()) {
        found.add(
            Finding.note(
                "port " + port.number,
                "%s over %s: %s".formatted(port.whose, String.join(" and ", taken), why),
                "nothing, if that process is yours; else " + port.other));
      }
    }
    return found.isEmpty()
        ? List.of(Finding.good("ports", "the usual ones are free: 7400, 7411, 7414 and 7420"))
        : found;
  }

  /** Default ports. */
  private enum UsualPort {
    ORCHESTRATOR(7400, false, "of an orchestrator", "orchestrator --listen HOST:PORT"),
    HOPS(7411, true, "of a relay's hops", "relay --hop-port PORT"),
    RENDEZVOUS(7414, true, "of a relay's rendezvous", "relay --rendezvous PORT"),
    RECEIVE(7420, true, "of receive", "receive --listen PORT");

    private final int number;
    private final boolean udp;
    private final String whose;
    private final String other;

    UsualPort(int number, boolean udp, String whose, String other) {
      this.number = number;
      this.udp = udp;
      this.whose = whose;
      this.other = other;
    }
  }

  private List<String> words(String file) {
    String text = text(file);
    return text.isEmpty() ? List.of() : Arrays.asList(text.split("\\s+", -1));
  }

  private String text(String file) {
    try {
      return Files.readString(proc.resolve(file)).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
