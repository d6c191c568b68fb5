package io.cascade.testbed.lab;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A topology that is up: network namespaces joined by emulated links, with an orchestrator and
 * relays as processes in them. Everything that belongs to it is gone after {@link #close}; what a
 * lab left whose process was killed is removed by the next one and by {@link DeadLabs}.
 *
 * <p>Needs Linux and root, or a user namespace in which the caller is root.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class Lab implements AutoCloseable {
  private final Topology topology;

  private Lab(Topology topology) {
    this.topology = topology;
  }

  /**
   * Brings it up and waits until relays are registered and orchestrator and relays serve.
   *
   * @throws io.cascade.command.Complaint naming what is missing on this machine, or which part did
   *     not start and the end of its log
   */
  public static Lab up(Topology topology) {
    return new Lab(topology);
  }

  public Topology topology() {
    return topology;
  }

  /** Where its logs are, and what its parts write. Removed by {@link #close}. */
  public Path folder() {
    throw new UnsupportedOperationException("not there yet");
  }

  public Site site(String name) {
    return new Site(topology.site(name));
  }

  /** In either order of its ends; {@link Link#shape} of {@code link("b", "a")} goes from b to a. */
  public Link link(String from, String to) {
    return new Link(from, to);
  }

  public LabStatistics statistics() {
    throw new UnsupportedOperationException("not there yet");
  }

  /** Where the orchestrator serves, as seen from every site; empty where the lab has none. */
  public Optional<URI> orchestrator() {
    throw new UnsupportedOperationException("not there yet");
  }

  /**
   * What orchestrator and relays want from callers. Commands run at sites have it as CASCADE_TOKEN.
   */
  public String token() {
    throw new UnsupportedOperationException("not there yet");
  }

  @Override
  public void close() {}
}
