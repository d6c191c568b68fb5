package io.cascade.contract;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.cascade.api.orchestrator.Hop;
import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.orchestrator.HopTransport;
import io.cascade.api.orchestrator.Pipe;
import io.cascade.api.orchestrator.Route;
import io.cascade.api.orchestrator.Segment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The hops of a route by their addresses, and the relays that they connect. Immutable; as JSON it
 * is the {@link Route}.
 *
 * <p>A route leads from the source to the destination without a gap: each pipe begins where the hop
 * before it ends, and the pipes of a segment have the same two ends. One hop leaves the source and
 * one reaches the destination, so the route has a first and a last relay.
 */
public final class RouteHops {
  /** Name for the clients that connect to the first relay. */
  public static final String SOURCE = "source";

  /** Name for the peer that the last relay connects to. */
  public static final String DESTINATION = "destination";

  private final Route route;
  private final Map<HopAddress, RouteHop> hops;
  private final List<String> relays;

  /** A hop and its address. */
  public record RouteHop(HopAddress address, Hop hop) {
    /** The node that opens the connection: a relay, or {@link #SOURCE}. */
    public String from() {
      return hop.from();
    }

    /** The node that accepts the connection: a relay, or {@link #DESTINATION}. */
    public String to() {
      return hop.to();
    }

    /** Whether a relay opens the connection. */
    public boolean leavesRelay() {
      return !from().equals(SOURCE);
    }

    /** Whether both ends are relays. */
    public boolean joinsRelays() {
      return leavesRelay() && !to().equals(DESTINATION);
    }

    @Override
    public String toString() {
      return HopAddresses.text(address) + " " + from() + " to " + to();
    }
  }

  private RouteHops(Route route, Map<HopAddress, RouteHop> hops) {
    this.route = route;
    this.hops = Collections.unmodifiableMap(hops);
    Set<String> reached = new LinkedHashSet<>();
    hops.values().forEach(hop -> reached.add(hop.to()));
    reached.remove(DESTINATION);
    this.relays = List.copyOf(reached);
  }

  /**
   * Reads a route.
   *
   * @throws IllegalArgumentException if the route is invalid; the message names the hop
   */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static RouteHops of(Route route) {
    return new RouteHops(route, new Reading().hops(route));
  }

  /**
   * Makes a plain cascade: one segment with one pipe.
   *
   * @param relays from ingress to egress, at least one
   * @param transport of the hops between relays; the others are TCP
   */
  public static RouteHops cascade(List<String> relays, HopTransport transport) {
    List<Hop> pipe = new ArrayList<>();
    String from = SOURCE;
    for (String relay : relays) {
      pipe.add(
          Hop.builder()
              .from(from)
              .to(relay)
              .transport(pipe.isEmpty() ? HopTransport.TCP : transport)
              .build());
      from = relay;
    }
    pipe.add(Hop.builder().from(from).to(DESTINATION).transport(HopTransport.TCP).build());
    return of(new Route(List.of(new Segment(List.of(new Pipe(pipe))))));
  }

  /**
   * Makes a route whose streams are carried by a segment of pipes between its first and its last
   * relay, or by several segments in a row.
   *
   * @param pipes relays of each, at least two, with the same first and the same last one
   * @param junctions relays at which all pipes of a segment end and those of the next one begin, in
   *     order; every pipe leads through them. Empty for one segment
   * @param transport of the hops between relays; the others are TCP
   */
  public static RouteHops segments(
      List<List<String>> pipes, List<String> junctions, HopTransport transport) {
    List<String> any = pipes.getFirst();
    List<Segment> segments = new ArrayList<>();
    segments.add(
        alone(Hop.builder().from(SOURCE).to(any.getFirst()).transport(HopTransport.TCP).build()));
    List<Iterator<Pipe>> parts =
        pipes.stream().map(relays -> parts(relays, junctions, transport).iterator()).toList();
    while (parts.stream().allMatch(Iterator::hasNext)) {
      segments.add(new Segment(parts.stream().map(Iterator::next).toList()));
    }
    segments.add(
        alone(
            Hop.builder().from(any.getLast()).to(DESTINATION).transport(HopTransport.TCP).build()));
    return of(new Route(segments));
  }

  /**
   * Divides a pipe at its junctions.
   *
   * @throws IllegalArgumentException if it does not lead through each of them
   */
  private static List<Pipe> parts(
      List<String> relays, List<String> junctions, HopTransport transport) {
    List<Pipe> parts = new ArrayList<>();
    List<Hop> hops = new ArrayList<>();
    Set<String> ahead = new HashSet<>(junctions);
    String from = SOURCE;
    for (String relay : relays) {
      if (!from.equals(SOURCE)) {
        hops.add(Hop.builder().from(from).to(relay).transport(transport).build());
      }
      if (ahead.remove(relay)) {
        parts.add(new Pipe(hops));
        hops = new ArrayList<>();
      }
      from = relay;
    }
    if (!ahead.isEmpty()) {
      throw refused(
          "pipe %s (expected: through %s)"
              .formatted(String.join(",", relays), String.join(",", junctions)));
    }
    parts.add(new Pipe(hops));
    return parts;
  }

  private static IllegalArgumentException refused(String words) {
    return new IllegalArgumentException("route: " + words);
  }

  private static Segment alone(Hop hop) {
    return new Segment(List.of(new Pipe(List.of(hop))));
  }

  /** The route in the contract's form. */
  @JsonValue
  public Route document() {
    return route;
  }

  /** Makes a route with the hops replaced. */
  public Route map(Function<RouteHop, Hop> change) {
    List<Segment> segments = new ArrayList<>();
    for (Segment segment : route.segments()) {
      List<Pipe> pipes = new ArrayList<>();
      for (Pipe pipe : segment.pipes()) {
        List<Hop> changed = new ArrayList<>();
        for (int hop = 0; hop < pipe.hops().size(); hop++) {
          HopAddress address = new HopAddress(segments.size(), pipes.size(), hop);
          changed.add(change.apply(new RouteHop(address, pipe.hops().get(hop))));
        }
        pipes.add(new Pipe(changed));
      }
      segments.add(new Segment(pipes));
    }
    return new Route(segments);
  }

  /** All hops, in the order of {@link HopAddresses#ORDER}. */
  public List<RouteHop> all() {
    return List.copyOf(hops.values());
  }

  /** The hop with this address; null if the route has none. */
  public @Nullable RouteHop at(HopAddress address) {
    return hops.get(address);
  }

  /** The hops of the pipe that contains a hop; empty if the route has no such pipe. */
  public List<Hop> pipe(HopAddress address) {
    return hops.values().stream()
        .filter(hop ->
            hop.address().segment().equals(address.segment())
                && hop.address().pipe().equals(address.pipe()))
        .map(RouteHop::hop)
        .toList();
  }

  /** Hops that relays open, in order: all but the one from the source. */
  public List<RouteHop> leavingRelays() {
    return hops.values().stream().filter(RouteHop::leavesRelay).toList();
  }

  /** Hops with a relay at each end, in order. */
  public List<RouteHop> joiningRelays() {
    return hops.values().stream().filter(RouteHop::joinsRelays).toList();
  }

  /** Hops that end at a node, in order. */
  public List<RouteHop> into(String node) {
    return hops.values().stream().filter(hop -> hop.to().equals(node)).toList();
  }

  /** Hops that begin at a node, in order. */
  public List<RouteHop> outOf(String node) {
    return hops.values().stream().filter(hop -> hop.from().equals(node)).toList();
  }

  /** Relays without duplicates, in the order in which hops reach them. */
  public List<String> relays() {
    return relays;
  }

  /** The relay that accepts the source's connections. */
  public String firstRelay() {
    return outOf(SOURCE).getFirst().to();
  }

  /** The relay that connects to the destination. */
  public String lastRelay() {
    return into(DESTINATION).getFirst().from();
  }

  /** Relays at the other ends of a relay's hops. */
  public Set<String> neighbours(String relay) {
    Set<String> found = new LinkedHashSet<>();
    into(relay).stream().filter(RouteHop::leavesRelay).forEach(hop -> found.add(hop.from()));
    outOf(relay).stream().filter(RouteHop::joinsRelays).forEach(hop -> found.add(hop.to()));
    return found;
  }

  /** Whether pipes of a segment begin or end at a relay. */
  public boolean isJunction(String relay) {
    return into(relay).stream()
        .flatMap(in -> outOf(relay).stream().map(out -> List.of(in, out)))
        .anyMatch(ends ->
            !ends.getFirst().address().segment().equals(ends.getLast().address().segment()));
  }

  /** Whether every stream uses every hop: no segment has several pipes. */
  public boolean isOnePipe() {
    return route.segments().size() == 1 && route.segments().getFirst().pipes().size() == 1;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RouteHops that && route.equals(that.route);
  }

  @Override
  public int hashCode() {
    return route.hashCode();
  }

  @Override
  public String toString() {
    return hops.values().toString();
  }

  /** Follows a route from the source and validates it. */
  private static final class Reading {
    private final Map<HopAddress, RouteHop> hops = new LinkedHashMap<>();

    Map<HopAddress, RouteHop> hops(Route route) {
      checkCount("segments", route.segments(), HopAddresses.MOST_SEGMENTS);
      String from = SOURCE;
      int segment = 0;
      for (Segment each : route.segments()) {
        from = segment(each, segment++, from);
      }
      if (!from.equals(DESTINATION)) {
        throw refused("ends at %s (expected: %s)".formatted(from, DESTINATION));
      }
      checkOne("from " + SOURCE, hop -> hop.from().equals(SOURCE));
      checkOne("to " + DESTINATION, hop -> hop.to().equals(DESTINATION));
      if (hops.size() == 1) {
        throw refused("has no relay (expected: at least one)");
      }
      return hops;
    }

    /** Returns where the segment ends. */
    private String segment(Segment segment, int number, String from) {
      checkCount("pipes of segment " + number, segment.pipes(), HopAddresses.MOST_PIPES);
      String end = null;
      int pipe = 0;
      for (Pipe each : segment.pipes()) {
        String to = pipe(each, number, pipe, from);
        if (end != null && !end.equals(to)) {
          throw refused(
              "pipe %d.%d ends at %s (expected: %s, as the pipe before)"
                  .formatted(number, pipe, to, end));
        }
        end = to;
        pipe++;
      }
      return Objects.requireNonNull(end);
    }

    /** Returns where the pipe ends. */
    private String pipe(Pipe pipe, int segment, int number, String from) {
      checkCount("hops of pipe " + segment + "." + number, pipe.hops(), HopAddresses.MOST_HOPS);
      String at = from;
      Set<String> passed = new HashSet<>(Set.of(from));
      int hop = 0;
      for (Hop each : pipe.hops()) {
        RouteHop placed = new RouteHop(new HopAddress(segment, number, hop++), each);
        if (!placed.from().equals(at)) {
          throw refused("hop %s (expected: from %s)".formatted(placed, at));
        }
        at = placed.to();
        if (at.equals(SOURCE) || from.equals(DESTINATION) || !passed.add(at)) {
          throw refused(
              "hop %s (expected: each node once, %s last)".formatted(placed, DESTINATION));
        }
        hops.put(placed.address(), placed);
      }
      return at;
    }

    private void checkOne(String what, Predicate<RouteHop> which) {
      long count = hops.values().stream().filter(which).count();
      if (count != 1) {
        throw refused("has %d hops %s (expected: 1)".formatted(count, what));
      }
    }

    private static void checkCount(String what, List<?> list, int most) {
      if (list.isEmpty() || list.size() > most) {
        throw refused("%s: %d (expected: 1 to %d)".formatted(what, list.size(), most));
      }
    }
  }
}
