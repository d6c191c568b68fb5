package io.cascade.client.siting;

import io.cascade.api.orchestrator.NetworkDescription;
import io.cascade.api.orchestrator.NetworkNode;
import io.cascade.contract.DescribedNetwork;
import io.cascade.contract.DescriptionFile;
import io.cascade.contract.NetworkFile;
import io.cascade.model.planning.Topology;
import io.cascade.siting.Demand;
import io.cascade.siting.Site;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Candidates, demands and links from files.
 *
 * <p>A described network, the same as for {@code plan --topology}, holds the candidates: every node
 * with a {@code pricePerHour}, even 0, can be rented. The links are in the same file or in a file
 * of their own.
 *
 * @param sites the candidates, in the file's order
 */
public record SitingFiles(List<Site> sites, List<Demand> demands, Topology links) {

  private static final String DEMANDS_EXAMPLE =
      "{\"demands\": [{\"from\": \"a\", \"to\": \"b\", \"bytes\": 1e9}]}";

  /** Copies the lists. */
  public SitingFiles {
    sites = List.copyOf(sites);
    demands = List.copyOf(demands);
  }

  /** Contents of the file of demands. */
  record DemandList(@Nullable List<DescribedDemand> demands) {}

  /** One demand of the file. */
  record DescribedDemand(
      @Nullable String from,
      @Nullable String to,
      @Nullable Double bytes,
      @Nullable Double weight,
      @Nullable Double requiredBitsPerSecond) {}

  private record Candidates(List<Site> sites, @Nullable NetworkDescription withLinks) {}

  /**
   * Reads the files.
   *
   * @param links null where the file of candidates holds the links
   * @param assumedCapacity in bit/s, of links that name none; null leaves them unknown
   * @throws IllegalArgumentException naming file, place and fix
   */
  public static SitingFiles read(
      Path candidates, Path demands, @Nullable Path links, @Nullable Long assumedCapacity) {
    Candidates read =
        DescriptionFile.read(candidates, "candidates described in JSON", SitingFiles::candidates);
    NetworkDescription described = read.withLinks();
    if (links != null && described != null) {
      throw new IllegalArgumentException(
          candidates + ": links (expected: none, since --links names " + links + ")");
    }
    if (links == null && described == null) {
      throw new IllegalArgumentException(
          candidates + ": links: missing (expected: links beside the nodes, or --links FILE)");
    }
    Topology topology =
        links == null
            ? DescriptionFile.read(
                    candidates,
                    "candidates described in JSON",
                    _ -> DescribedNetwork.of(Objects.requireNonNull(described), assumedCapacity))
                .topology()
            : NetworkFile.read(links, assumedCapacity).topology();
    return new SitingFiles(
        read.sites(),
        DescriptionFile.read(demands, "demands described in JSON", SitingFiles::demands),
        topology);
  }

  private static Candidates candidates(String json) {
    NetworkDescription description = NetworkFile.description(json);
    List<NetworkNode> nodes = Objects.requireNonNullElse(description.nodes(), List.of());
    List<Site> sites = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      NetworkNode node = nodes.get(i);
      if (node == null || node.name() == null) {
        throw new IllegalArgumentException("nodes[" + i + "].name: missing (expected: a value)");
      }
      Double price = node.pricePerHour();
      if (price != null) {
        sites.add(placed("nodes[" + i + "]", () -> new Site(node.name(), price)));
      }
    }
    if (sites.isEmpty()) {
      throw new IllegalArgumentException(
          "nodes: none has a pricePerHour (expected: one for every candidate, 0 where it is free)");
    }
    return new Candidates(sites, description.links() == null ? null : description);
  }

  static List<Demand> demands(String json) {
    DemandList list = DescriptionFile.parse(json, DemandList.class, DEMANDS_EXAMPLE);
    if (list.demands() == null || list.demands().isEmpty()) {
      throw new IllegalArgumentException("demands: none (expected: " + DEMANDS_EXAMPLE + ")");
    }
    List<Demand> demands = new ArrayList<>();
    for (int i = 0; i < list.demands().size(); i++) {
      String place = "demands[" + i + "]";
      DescribedDemand one = present(place, list.demands().get(i));
      String from = present(place + ".from", one.from());
      String to = present(place + ".to", one.to());
      demands.add(
          placed(
              place,
              () ->
                  new Demand(
                      from,
                      to,
                      bytes(one.bytes()),
                      one.weight() == null ? 1 : one.weight(),
                      one.requiredBitsPerSecond() == null
                          ? OptionalDouble.empty()
                          : OptionalDouble.of(one.requiredBitsPerSecond()))));
    }
    return demands;
  }

  private static OptionalLong bytes(@Nullable Double bytes) {
    if (bytes == null) {
      return OptionalLong.empty();
    }
    if (!(bytes >= 1 && bytes <= 1e18) || bytes != Math.rint(bytes)) {
      throw new IllegalArgumentException(
          "bytes: " + bytes + " (expected: a whole number from 1 to 1e18)");
    }
    return OptionalLong.of(bytes.longValue());
  }

  private static <T> T present(String place, @Nullable T value) {
    if (value == null) {
      throw new IllegalArgumentException(place + ": missing (expected: a value)");
    }
    return value;
  }

  private static <T> T placed(String place, java.util.function.Supplier<T> value) {
    try {
      return value.get();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(place + ": " + e.getMessage(), e);
    }
  }
}
