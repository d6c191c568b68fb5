package io.cascade.studies.experiment;

import io.cascade.api.orchestrator.SetupMode;
import io.cascade.model.tcp.CongestionControl;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * One combination of a sweep's inputs, with everything that a run of it needs.
 *
 * @param sweep the sweep's name
 * @param inputs what was chosen on every axis, in the file's own words
 * @param links of the path, in the direction of the data
 * @param control of the sender and, on the direct way, of all there is
 * @param hopControl of every connection that a relay sends on
 * @param bufferBytes what a relay may hold for the stream, both directions together; empty for its
 *     own choice
 * @param bytes of the transfer; empty for one that goes on for {@code seconds}
 * @param seconds from the first byte's leaving; not used where {@code bytes} says how much
 * @param warmupSeconds at the beginning that the steady goodput leaves out
 * @param queueWatched whether the relays' queues are sampled
 * @param beside congestion control of another connection that shares the last link; empty for none
 */
public record Cell(
    String sweep,
    Map<String, String> inputs,
    List<PathLink> links,
    TransferPath route,
    CongestionControl control,
    CongestionControl hopControl,
    Relaying relaying,
    SetupMode setup,
    OptionalLong bufferBytes,
    OptionalLong bytes,
    double seconds,
    double warmupSeconds,
    boolean queueWatched,
    Optional<CongestionControl> beside) {

  /** Copies what can change. */
  public Cell {
    inputs = java.util.Collections.unmodifiableMap(new TreeMap<>(inputs));
    links = List.copyOf(links);
  }

  /** The same for the same inputs, whatever else is in the file. */
  public String key() {
    StringBuilder key = new StringBuilder(sweep);
    inputs.forEach((name, value) -> key.append(" | ").append(name).append('=').append(value));
    return key.toString();
  }

  /** The same for so long. */
  Cell lasting(double wholeSeconds, double ofBeginning) {
    return with(links, wholeSeconds, ofBeginning);
  }

  /** The same with the share of packets that the links lost in these runs, not what they should. */
  public Cell asLostIn(List<Result> runs) {
    List<PathLink> counted = new ArrayList<>();
    for (int i = 0; i < links.size(); i++) {
      long taken = 0;
      long lost = 0;
      for (Result run : runs) {
        taken += run.links().get(i).taken();
        lost += run.links().get(i).lost();
      }
      counted.add(links.get(i).withLoss(taken == 0 ? 0 : (double) lost / taken));
    }
    return with(List.copyOf(counted), seconds, warmupSeconds);
  }

  private Cell with(List<PathLink> otherLinks, double wholeSeconds, double ofBeginning) {
    return new Cell(
        sweep,
        inputs,
        otherLinks,
        route,
        control,
        hopControl,
        relaying,
        setup,
        bufferBytes,
        bytes,
        wholeSeconds,
        ofBeginning,
        queueWatched,
        beside);
  }

  /** Whether every input that is asked for is as asked. */
  public boolean matches(Map<String, String> wanted) {
    return wanted.entrySet().stream()
        .allMatch(want ->
            want.getKey().equals("sweep")
                ? want.getValue().equals(sweep)
                : want.getValue().equals(inputs.get(want.getKey())));
  }

  /** Round trip of the whole path. */
  public double rttSeconds() {
    return links.stream().mapToDouble(PathLink::rttSeconds).sum();
  }

  /** Loss of the whole path, for packets that cross it at layer 3. */
  public double lossProbability() {
    double through = 1;
    for (PathLink link : links) {
      through *= 1 - link.lossProbability();
    }
    return 1 - through;
  }

  /** The slowest link's. */
  public double bitsPerSecond() {
    return links.stream().mapToDouble(PathLink::bitsPerSecond).min().orElseThrow();
  }
}
