package io.cascade.lab;

import io.cascade.links.LinkShape;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sites, the links between them, and what runs at each. {@link TopologyFile} reads it from YAML.
 *
 * @param name a-z, 0-9 and -, at most 20 characters; also the name of the lab
 * @param seed of every random choice; the same seed and the same packets give the same losses
 * @param orchestrator the site where an orchestrator runs; null for none, and then no relays either
 * @param steps scheduled changes while the lab is up, in any order
 */
public record Topology(
    String name,
    long seed,
    List<SiteSpec> sites,
    List<LinkSpec> links,
    @Nullable String orchestrator,
    List<Step> steps) {
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9-]{0,18}[a-z0-9])?");

  public Topology {
    sites = List.copyOf(sites);
    links = List.copyOf(links);
    steps = List.copyOf(steps);
    checkName("name", name);
    if (sites.isEmpty() || sites.size() > 250) {
      throw new IllegalArgumentException("sites: " + sites.size() + " (expected: 1 to 250)");
    }
    Set<String> names = new HashSet<>();
    Set<String> relays = new HashSet<>();
    for (SiteSpec site : sites) {
      if (!names.add(site.name())) {
        throw new IllegalArgumentException("site " + site.name() + ": twice");
      }
      for (String relay : site.relays()) {
        if (!relays.add(relay)) {
          throw new IllegalArgumentException("relay " + relay + ": twice");
        }
      }
    }
    Set<Set<String>> pairs = new HashSet<>();
    for (LinkSpec link : links) {
      checkKnown(names, link.from());
      checkKnown(names, link.to());
      if (!pairs.add(Set.of(link.from(), link.to()))) {
        throw new IllegalArgumentException("link %s-%s: twice".formatted(link.from(), link.to()));
      }
    }
    if (orchestrator != null) {
      checkKnown(names, orchestrator);
    } else if (!relays.isEmpty()) {
      throw new IllegalArgumentException(
          "relays without an orchestrator (expected: the site where it runs)");
    }
    for (Step step : steps) {
      checkKnown(names, step.from());
      checkKnown(names, step.to());
      if (!pairs.contains(Set.of(step.from(), step.to()))) {
        throw new IllegalArgumentException("no link %s-%s".formatted(step.from(), step.to()));
      }
    }
  }

  /** The site of that name. */
  public SiteSpec site(String siteName) {
    return sites.stream()
        .filter(site -> site.name().equals(siteName))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException("site: " + siteName + " (expected: " + siteNames() + ")"));
  }

  /** Returns this topology with another name. */
  public Topology named(String other) {
    return new Topology(other, seed, sites, links, orchestrator, steps);
  }

  /** Returns this topology with another seed. */
  public Topology seeded(long other) {
    return new Topology(name, other, sites, links, orchestrator, steps);
  }

  /** Returns the network alone, without orchestrator and relays. */
  public Topology bare() {
    return new Topology(
        name,
        seed,
        sites.stream()
            .map(site -> new SiteSpec(site.name(), site.congestionControl(), List.of()))
            .toList(),
        links,
        null,
        steps);
  }

  String siteNames() {
    return sites.stream().map(SiteSpec::name).collect(Collectors.joining(", "));
  }

  static void checkName(String what, String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "%s: '%s' (expected: a-z, 0-9 and -, at most 20 characters)".formatted(what, name));
    }
  }

  private static void checkKnown(Set<String> names, String site) {
    if (!names.contains(site)) {
      throw new IllegalArgumentException(
          "site: %s (expected: one of %s)"
              .formatted(site, names.stream().sorted().collect(Collectors.joining(", "))));
    }
  }

  /**
   * A host.
   *
   * @param congestionControl default of its connections, such as reno
   * @param relays names of the relays that run here
   */
  public record SiteSpec(String name, String congestionControl, List<String> relays) {
    public SiteSpec {
      checkName("site", name);
      relays = List.copyOf(relays);
      relays.forEach(relay -> checkName("relay", relay));
    }
  }

  /**
   * A link between two sites.
   *
   * @param forward from {@code from} to {@code to}
   */
  public record LinkSpec(String from, String to, LinkShape forward, LinkShape backward) {
    public LinkSpec {
      if (from.equals(to)) {
        throw new IllegalArgumentException("link %s-%s: a link to itself".formatted(from, to));
      }
    }

    /** Whether these are its ends, in either order. */
    public boolean joins(String one, String other) {
      return (from.equals(one) && to.equals(other)) || (from.equals(other) && to.equals(one));
    }

    /** A link with the same shape in both directions. */
    public static LinkSpec symmetric(String from, String to, LinkShape shape) {
      return new LinkSpec(from, to, shape, shape);
    }
  }

  /**
   * A change of a link at a time.
   *
   * @param after the lab came up
   * @param change applied to both directions
   */
  public record Step(Duration after, String from, String to, ShapeChange change) {
    public Step {
      if (after.isNegative()) {
        throw new IllegalArgumentException("at: " + after + " (expected: >= 0)");
      }
    }
  }
}
