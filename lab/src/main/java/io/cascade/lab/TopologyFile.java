package io.cascade.lab;

import io.cascade.lab.Topology.LinkSpec;
import io.cascade.lab.Topology.SiteSpec;
import io.cascade.lab.Topology.Step;
import io.cascade.links.LinkShape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Topologies as YAML:
 *
 * <pre>{@code
 * name: two-hops
 * seed: 1
 * congestion-control: reno          # of every site that does not say otherwise
 * orchestrator: a                   # the site where it runs; without one there are no relays
 * sites:
 *   a:
 *   b: {relays: [r1]}
 *   c: {congestion-control: cubic}
 * links:
 *   - {between: [a, b], rtt: 20ms, rate: 32Mbit, loss: 0.05%}
 *   - between: [b, c]
 *     delay: 10ms                   # one way
 *     rate: 32Mbit
 *     queue: 128KiB                 # one bandwidth-delay product of the link unless said
 *     backward: {rate: 8Mbit}       # what differs from c to b; forward: likewise
 * steps:
 *   - {at: 10s, between: [a, b], loss: 2% burst 5}
 *   - {at: 20s, between: [b, c], down: true}
 * }</pre>
 *
 * Parameters of links: delay or rtt, rate, queue, loss, jitter, reorder, reorder-delay, mtu,
 * police, pie, ecn, down.
 */
public final class TopologyFile {
  private static final long DEFAULT_SEED = 1;
  private static final String DEFAULT_CONGESTION_CONTROL = "cubic";
  private static final int MOST_BYTES = 1 << 20;

  private final String source;

  private TopologyFile(String source) {
    this.source = source;
  }

  /**
   * @throws IllegalArgumentException that begins with file and line
   * @throws IOException where it cannot be read
   */
  public static Topology read(Path file) throws IOException {
    if (Files.size(file) > MOST_BYTES) {
      throw new IllegalArgumentException(file + ": over a mebibyte (expected: a topology)");
    }
    return parse(file.toString(), Files.readString(file));
  }

  /**
   * @param source its name in errors
   */
  public static Topology parse(String source, String yaml) {
    TopologyFile file = new TopologyFile(source);
    try {
      Optional<Node> root =
          new Compose(LoadSettings.builder().setUseMarks(true).setLabel(source).build())
              .composeString(yaml);
      return file.topology(
          root.orElseThrow(() -> new IllegalArgumentException(source + ": empty")));
    } catch (MarkedYamlEngineException e) {
      throw new IllegalArgumentException(
          "%s:%d: %s"
              .formatted(
                  source,
                  e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1),
                  e.getProblem()),
          e);
    } catch (YamlEngineException e) {
      throw new IllegalArgumentException(source + ": " + e.getMessage(), e);
    }
  }

  /** The same topology as text, with all defaults written out. */
  public static String write(Topology topology) {
    StringBuilder text = new StringBuilder();
    text.append("name: %s%nseed: %d%n".formatted(topology.name(), topology.seed()));
    if (topology.orchestrator() != null) {
      text.append("orchestrator: %s%n".formatted(topology.orchestrator()));
    }
    text.append("sites:%n".formatted());
    for (SiteSpec site : topology.sites()) {
      text.append(
          "  %s: {congestion-control: %s, relays: [%s]}%n"
              .formatted(site.name(), site.congestionControl(), String.join(", ", site.relays())));
    }
    text.append("links:%s%n".formatted(topology.links().isEmpty() ? " []" : ""));
    for (LinkSpec link : topology.links()) {
      text.append(
          "  - {between: [%s, %s], forward: {%s}, backward: {%s}}%n"
              .formatted(
                  link.from(),
                  link.to(),
                  flow(ShapeText.format(link.forward())),
                  flow(ShapeText.format(link.backward()))));
    }
    text.append("steps:%s%n".formatted(topology.steps().isEmpty() ? " []" : ""));
    for (Step step : topology.steps()) {
      text.append(
          "  - {at: %s, between: [%s, %s], %s}%n"
              .formatted(
                  ShapeText.format(step.after()),
                  step.from(),
                  step.to(),
                  flow(step.change().values())));
    }
    return text.toString();
  }

  private static String flow(Map<String, String> values) {
    return values.entrySet().stream()
        .map(value -> value.getKey() + ": " + value.getValue())
        .collect(Collectors.joining(", "));
  }

  private Topology topology(Node root) {
    Map<String, Node> fields =
        mapping(
            root,
            List.of(
                "name", "seed", "congestion-control", "orchestrator", "sites", "links", "steps"));
    Node nameNode = fields.get("name");
    String name = nameNode == null ? nameOfFile() : scalar(nameNode);
    String congestionControl = text(fields.get("congestion-control"), DEFAULT_CONGESTION_CONTROL);
    List<SiteSpec> sites = sites(required(root, fields, "sites"), congestionControl);
    List<LinkSpec> links = new ArrayList<>();
    for (Node link : items(fields.get("links"))) {
      links.add(at(link, () -> link(link)));
    }
    List<Step> steps = new ArrayList<>();
    for (Node step : items(fields.get("steps"))) {
      steps.add(at(step, () -> step(step)));
    }
    Node orchestrator = fields.get("orchestrator");
    return at(
        root,
        () ->
            new Topology(
                name,
                seed(fields.get("seed")),
                sites,
                links,
                orchestrator == null ? null : scalar(orchestrator),
                steps));
  }

  private String nameOfFile() {
    Path last = Path.of(source).getFileName();
    return last == null ? source : last.toString().replaceFirst("\\.ya?ml$", "");
  }

  private long seed(@Nullable Node node) {
    if (node == null) {
      return DEFAULT_SEED;
    }
    try {
      return Long.parseLong(scalar(node));
    } catch (NumberFormatException e) {
      throw misplaced(node, "seed: '" + scalar(node) + "' (expected: a whole number)");
    }
  }

  private List<SiteSpec> sites(Node node, String congestionControl) {
    List<SiteSpec> sites = new ArrayList<>();
    for (Map.Entry<String, Node> site : mapping(node, null).entrySet()) {
      Node value = site.getValue();
      Map<String, Node> fields =
          empty(value) ? Map.of() : mapping(value, List.of("congestion-control", "relays"));
      List<String> relays = items(fields.get("relays")).stream().map(this::scalar).toList();
      sites.add(
          at(
              value,
              () ->
                  new SiteSpec(
                      site.getKey(),
                      text(fields.get("congestion-control"), congestionControl),
                      relays)));
    }
    return sites;
  }

  private LinkSpec link(Node node) {
    List<String> known = new ArrayList<>(ShapeText.NAMES);
    known.addAll(List.of("between", "forward", "backward"));
    Map<String, Node> fields = mapping(node, known);
    List<String> ends = ends(node, fields);
    Map<String, String> shared = parameters(fields);
    return new LinkSpec(
        ends.getFirst(),
        ends.getLast(),
        shape(shared, fields.get("forward")),
        shape(shared, fields.get("backward")));
  }

  private LinkShape shape(Map<String, String> shared, @Nullable Node own) {
    Map<String, String> values = new TreeMap<>(shared);
    if (own != null) {
      Map<String, String> special = parameters(mapping(own, ShapeText.NAMES));
      // One replaces the other, since both name the delay.
      if (special.containsKey("delay") || special.containsKey("rtt")) {
        values.keySet().removeAll(List.of("delay", "rtt"));
      }
      values.putAll(special);
      return at(own, () -> ShapeText.from(values));
    }
    return ShapeText.from(values);
  }

  private Step step(Node node) {
    List<String> known = new ArrayList<>(ShapeText.NAMES);
    known.addAll(List.of("between", "at"));
    Map<String, Node> fields = mapping(node, known);
    List<String> ends = ends(node, fields);
    return new Step(
        ShapeText.duration(scalar(required(node, fields, "at"))),
        ends.getFirst(),
        ends.getLast(),
        new ShapeChange(parameters(fields)));
  }

  private List<String> ends(Node node, Map<String, Node> fields) {
    Node between = required(node, fields, "between");
    List<String> ends = items(between).stream().map(this::scalar).toList();
    if (ends.size() != 2) {
      throw misplaced(between, "between: " + ends.size() + " sites (expected: [A, B])");
    }
    return ends;
  }

  private Map<String, String> parameters(Map<String, Node> fields) {
    Map<String, String> values = new LinkedHashMap<>();
    fields.forEach((name, node) -> {
      if (ShapeText.NAMES.contains(name)) {
        values.put(name, scalar(node));
      }
    });
    return values;
  }

  private Map<String, Node> mapping(Node node, @Nullable List<String> known) {
    if (!(node instanceof MappingNode mapping)) {
      throw misplaced(node, "expected: NAME: VALUE pairs");
    }
    Map<String, Node> fields = new LinkedHashMap<>();
    for (NodeTuple tuple : mapping.getValue()) {
      String key = scalar(tuple.getKeyNode());
      if (known != null && !known.contains(key)) {
        throw misplaced(
            tuple.getKeyNode(),
            "'%s' is not known here (expected: %s)".formatted(key, String.join(", ", known)));
      }
      if (fields.put(key, tuple.getValueNode()) != null) {
        throw misplaced(tuple.getKeyNode(), "'" + key + "': twice");
      }
    }
    return fields;
  }

  private List<Node> items(@Nullable Node node) {
    if (node == null || empty(node)) {
      return List.of();
    }
    if (!(node instanceof SequenceNode sequence)) {
      throw misplaced(node, "expected: a list");
    }
    return sequence.getValue();
  }

  private String text(@Nullable Node node, String otherwise) {
    return node == null ? otherwise : scalar(node);
  }

  private String scalar(Node node) {
    if (!(node instanceof ScalarNode scalar) || scalar.getValue().isEmpty()) {
      throw misplaced(node, "expected: a word or a number");
    }
    return scalar.getValue();
  }

  private static boolean empty(Node node) {
    return node instanceof ScalarNode scalar && scalar.getValue().isEmpty();
  }

  private Node required(Node parent, Map<String, Node> fields, String name) {
    Node node = fields.get(name);
    if (node == null) {
      throw misplaced(parent, name + ": missing");
    }
    return node;
  }

  /** Adds a place in the file to an error of the values, unless it has one already. */
  private <T> T at(Node node, Reading<T> reading) {
    try {
      return reading.read();
    } catch (Misplaced e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw misplaced(node, String.valueOf(e.getMessage()));
    }
  }

  private Misplaced misplaced(Node node, String message) {
    int line = node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
    return new Misplaced("%s:%d: %s".formatted(source, line, message));
  }

  @FunctionalInterface
  private interface Reading<T> {
    T read();
  }

  private static final class Misplaced extends IllegalArgumentException {
    Misplaced(String message) {
      super(message);
    }
  }
}
