package io.cascade.gateway.tunnel;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.identity.RelaySigner;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.GatewayInstructions;
import io.cascade.api.orchestrator.GatewayReport;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Tells the orchestrator how a gateway is, and has the gateway's links be those that it answers. An
 * orchestrator that is away changes nothing, until the time is over for which it let the links
 * stay.
 */
final class Reporter implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(Reporter.class.getName());
  private static final Duration FIRST_INTERVAL = Duration.ofSeconds(2);
  private static final double LONGEST_INTERVAL_SECONDS = 300;

  private final Gateway gateway;
  private final OrchestratorClient orchestrator;
  private final RelaySigner signer;
  private final String version;
  private final @Nullable Endpoint listen;
  private final ManagedLinks links;
  private final UUID instance = UUID.randomUUID();
  private final AtomicBoolean isClosing = new AtomicBoolean();
  private final Thread thread;
  private Duration interval = FIRST_INTERVAL;
  private long keptNanos = Long.MAX_VALUE;
  private long heardNanos = System.nanoTime();
  private @Nullable String failure = "";

  /**
   * @param listen where other gateways reach it; null where none can
   */
  Reporter(
      Gateway gateway,
      OrchestratorClient orchestrator,
      RelaySigner signer,
      String version,
      @Nullable Endpoint listen) {
    this.gateway = gateway;
    this.orchestrator = orchestrator;
    this.signer = signer;
    this.version = version;
    this.listen = listen;
    this.links = new ManagedLinks(gateway);
    this.thread = Thread.ofPlatform().daemon().name("reporter").unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  private void run() {
    try {
      while (!isClosing.get()) {
        report();
        // Those that begin together do not stay together.
        Thread.sleep(
            interval.multipliedBy(ThreadLocalRandom.current().nextInt(90, 111)).dividedBy(100));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void report() {
    try {
      GatewayReport unsigned = GatewayReports.of(gateway.status(), instance, version, listen);
      String name = gateway.settings().name();
      GatewayInstructions answer = orchestrator.report(name, signer.sign(name, unsigned));
      heardNanos = System.nanoTime();
      keptNanos = (long) (answer.keepSeconds() * 1e9);
      interval = interval(answer.reportSeconds());
      links.become(answer.links());
      if (failure != null) {
        LOG.log(Level.INFO, "reports to {0}", orchestrator.address());
      }
      failure = null;
    } catch (RuntimeException e) {
      String why = String.valueOf(e.getMessage());
      if (!why.equals(failure)) {
        LOG.log(Level.WARNING, "{0}: {1}", new Object[] {orchestrator.address(), why});
      }
      failure = why;
      if (System.nanoTime() - heardNanos > keptNanos) {
        links.become(List.of());
      }
    }
  }

  private static Duration interval(double seconds) {
    double bounded = Math.clamp(seconds, 0.05, LONGEST_INTERVAL_SECONDS);
    return Duration.ofNanos((long) (bounded * 1e9));
  }

  @Override
  public void close() {
    isClosing.set(true);
    thread.interrupt();
  }
}
