package io.cascade.studies.experiment;

import io.cascade.lab.Site;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * TCP counters of a site's kernel since the site was created.
 *
 * @param segments sent
 * @param spurious retransmissions that the receiver reported as duplicates (RFC 2883)
 */
public record KernelCounts(long segments, long retransmissions, long timeouts, long spurious) {
  private static final List<Path> FILES =
      List.of(Path.of("/proc/thread-self/net/snmp"), Path.of("/proc/thread-self/net/netstat"));

  public static KernelCounts at(Site site) throws Exception {
    return site.call(() -> {
      Map<String, Long> values = new HashMap<>();
      for (Path file : FILES) {
        List<String> lines = Files.readAllLines(file);
        for (int i = 0; i + 1 < lines.size(); i += 2) {
          String[] names = lines.get(i).split(" ", -1);
          String[] numbers = lines.get(i + 1).split(" ", -1);
          for (int column = 1; column < names.length; column++) {
            values.put(names[0] + names[column], Long.parseLong(numbers[column]));
          }
        }
      }
      return new KernelCounts(
          values.getOrDefault("Tcp:OutSegs", 0L),
          values.getOrDefault("Tcp:RetransSegs", 0L),
          values.getOrDefault("TcpExt:TCPTimeouts", 0L),
          values.getOrDefault("TcpExt:TCPDSACKRecv", 0L));
    });
  }

  public KernelCounts plus(KernelCounts other) {
    return new KernelCounts(
        segments + other.segments,
        retransmissions + other.retransmissions,
        timeouts + other.timeouts,
        spurious + other.spurious);
  }

  public KernelCounts minus(KernelCounts before) {
    return new KernelCounts(
        segments - before.segments,
        retransmissions - before.retransmissions,
        timeouts - before.timeouts,
        spurious - before.spurious);
  }
}
