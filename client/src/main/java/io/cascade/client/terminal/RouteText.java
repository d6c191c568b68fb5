package io.cascade.client.terminal;

import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.Hop;
import io.cascade.api.orchestrator.Pipe;
import io.cascade.api.orchestrator.PipeTotals;
import io.cascade.api.orchestrator.Route;
import io.cascade.api.orchestrator.Segment;
import io.cascade.command.DataSize;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which way a chain leads. */
public final class RouteText {
  private RouteText() {}

  /** The relays in their order; of a chain of several pipes, those of each pipe. */
  public static String relays(Chain chain) {
    Route route = chain.route();
    if (route == null || route.segments().size() == 1) {
      return String.join(", ", chain.relays());
    }
    List<String> segments = new ArrayList<>();
    for (Segment segment : route.segments()) {
      Map<String, Integer> pipes = new LinkedHashMap<>();
      segment.pipes().forEach(pipe -> pipes.merge(relays(pipe), 1, Integer::sum));
      pipes.remove("");
      if (!pipes.isEmpty()) {
        List<String> words = new ArrayList<>();
        pipes.forEach(
            (relays, count) -> words.add(count == 1 ? relays : relays + " (" + count + " pipes)"));
        segments.add(String.join(" | ", words));
      }
    }
    return String.join("; ", segments);
  }

  /** Relays that a pipe joins; empty where it joins none. */
  private static String relays(Pipe pipe) {
    List<Hop> hops = pipe.hops();
    if (hops.getFirst().from().equals("source") || hops.getLast().to().equals("destination")) {
      return "";
    }
    List<String> relays = new ArrayList<>(List.of(hops.getFirst().from()));
    hops.forEach(hop -> relays.add(hop.to()));
    return String.join(", ", relays);
  }

  /** What pipes have carried. */
  public static String pipe(@Nullable PipeTotals pipe) {
    return pipe == null
        ? ""
        : "%d open, %d lost, sent %s, received %s"
            .formatted(
                pipe.running(),
                pipe.lost(),
                DataSize.format(pipe.sentBytes()),
                DataSize.format(pipe.receivedBytes()));
  }
}
