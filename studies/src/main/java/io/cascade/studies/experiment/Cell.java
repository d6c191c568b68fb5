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
 * One combination of a sweep's inputs, with all parameters of a run.
 *
 * @param sweep the sweep's name
 * @param inputs value on every axis, as written in the file
 * @param links of the path, in the direction of the data
 * @param control congestion control of the sender and, on the direct way, of all connections
 * @param hopControl congestion control of every connection on which a relay sends
 * @param bufferBytes that a relay may hold for the stream in both directions together; empty for
 *     the relay's default
 * @param bytes of the transfer; empty for a transfer of {@code seconds}
 * @param seconds from the departure of the first byte; unused if {@code bytes} is present
 * @param warmupSeconds at the beginning that do not count for the steady goodput
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

  /** Copies the collections. */
  public Cell {
    inputs = java.util.Collections.unmodifiableMap(new TreeMap<>(inputs));
    links = List.copyOf(links);
  }

  /** Key of the cell: equal inputs have equal keys, whatever else the file has. */
  public String key() {
    StringBuilder key = new StringBuilder(sweep);
    inputs.forEach((name, value) -> key.append(" | ").append(name).append('=').append(value));
    return key.toString();
  }

  /** The same cell with another length. */
  Cell lasting(double wholeSeconds, double ofBeginning) {
    return with(links, wholeSeconds, ofBeginning);
  }

  /**
   * The same cell with the share of packets that the links lost in these runs in place of the
   * configured loss.
   */
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

  /** Whether every given input has the given value. */
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

  /** Loss of the whole path for packets that cross it without relays. */
  public double lossProbability() {
    double through = 1;
    for (PathLink link : links) {
      through *= 1 - link.lossProbability();
    }
    return 1 - through;
  }

  /** Rate of the slowest link. */
  public double bitsPerSecond() {
    return links.stream().mapToDouble(PathLink::bitsPerSecond).min().orElseThrow();
  }
}
