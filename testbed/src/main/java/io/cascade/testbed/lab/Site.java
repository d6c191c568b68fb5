package io.cascade.testbed.lab;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;

/** A site of a lab that is up. Names of sites resolve at every site: {@code ping b}. */
@SuppressWarnings("DoNotCallSuggester")
public final class Site {
  private final Topology.SiteSpec spec;

  Site(Topology.SiteSpec spec) {
    this.spec = spec;
  }

  public String name() {
    return spec.name();
  }

  /** The site's own address, which every other site reaches, such as 10.77.0.1. */
  public String address() {
    throw new UnsupportedOperationException("not there yet");
  }

  /**
   * A process that will run here, for the caller to configure and start; the process is the command
   * itself, so signals reach it. Its environment names the orchestrator and the token.
   */
  public ProcessBuilder process(List<String> command) {
    throw new UnsupportedOperationException("not there yet");
  }

  /** As {@link #process}, started; both its outputs can be read from it. */
  public Process start(String... command) {
    throw new UnsupportedOperationException("not there yet");
  }

  /** Runs to its end, a minute at most. */
  public Ran run(String... command) {
    return run(Duration.ofMinutes(1), command);
  }

  /**
   * Runs to its end.
   *
   * @throws io.cascade.command.Complaint where it takes longer; it is killed then
   */
  public Ran run(Duration patience, String... command) {
    throw new UnsupportedOperationException("not there yet");
  }

  /**
   * Runs on a thread that is in this site's network: sockets which it opens belong to the site for
   * their whole life, whoever uses them later. Threads that it starts are in the network too if
   * they are platform threads of their own, not those of a pool that was there before.
   */
  public <T> T call(Callable<T> task) throws Exception {
    return task.call();
  }

  /** What a command printed, and how it ended. */
  public record Ran(int exitCode, String out, String err) {}
}
