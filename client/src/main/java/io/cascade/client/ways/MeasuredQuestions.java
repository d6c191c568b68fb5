package io.cascade.client.ways;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.Source;
import org.jspecify.annotations.Nullable;

/**
 * Questions of a transfer that has begun: this host measures its paths for the plan while relays
 * measure theirs to the destination.
 */
public final class MeasuredQuestions implements SharedSend.Questions {
  private final OrchestratorClient client;
  private final Wording wording;
  private volatile @Nullable Source source;

  /** The questions, and the paths that this host measures for them. */
  public interface Wording {
    /** Measures this host's paths, in a few round trips; null where this host is not the source. */
    @Nullable Source source() throws InterruptedException;

    /**
     * @param source null before the measurement
     */
    PlanRequest question(@Nullable Source source);

    /**
     * @param name that the chain must have
     * @param source null before the measurement
     */
    ChainRequest chain(String name, @Nullable Source source);
  }

  public MeasuredQuestions(OrchestratorClient client, Wording wording) {
    this.client = client;
    this.wording = wording;
  }

  @Override
  public Plan plan() throws InterruptedException {
    Thread.startVirtualThread(this::haveRelaysLook);
    Source measured = wording.source();
    source = measured;
    return client.plan(wording.question(measured));
  }

  // Relays measure their paths to the destination at the same time as this host, so that the plan
  // finds the results.
  private void haveRelaysLook() {
    try {
      Plan _ = client.plan(wording.question(null));
    } catch (UnreachableException | ProblemException e) {
      // The plan request will report the failure.
    }
  }

  @Override
  public ChainRequest chain(String name) {
    return wording.chain(name, source);
  }
}
