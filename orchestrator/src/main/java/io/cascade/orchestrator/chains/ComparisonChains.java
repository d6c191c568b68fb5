package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.orchestrator.audit.AuditedCall;
import io.cascade.orchestrator.planning.TestChains;
import io.cascade.orchestrator.problems.Refusal;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Chains for comparisons. Like other chains, but their address is not given to any client. */
@Component
class ComparisonChains implements TestChains {
  /** Longer than any comparison. Closes the chain if the orchestrator dies during one. */
  private static final int TIME_TO_LIVE_SECONDS = 120;

  private static final String ORCHESTRATOR = "127.0.0.1";

  /** Operation of the contract that runs comparisons. */
  private static final String OPERATION = "plan";

  private static final Logger LOG = LoggerFactory.getLogger(ComparisonChains.class);

  private final ChainOpening opening;
  private final ChainClosing closing;

  ComparisonChains(ChainOpening opening, ChainClosing closing) {
    this.opening = opening;
    this.closing = closing;
  }

  private record OneChain(Endpoint ingress, Runnable ending) implements Opened {
    @Override
    public void close() {
      ending.run();
    }
  }

  @Override
  public Opened open(List<String> relays, String destination, ChainOptions options) {
    ChainRequest request =
        ChainRequest.builder()
            .destination(destination)
            .name("compare-" + UUID.randomUUID().toString().substring(0, 8))
            .via(relays)
            .options(options)
            .timeToLiveSeconds(TIME_TO_LIVE_SECONDS)
            .build();
    if (AuditedCall.current().isBound()) {
      // The operation of a plan is recorded only from here on, since a plan alone changes nothing.
      AuditedCall.current().get().isAbout(OPERATION, null);
    }
    Chain chain = opening.open(request, ORCHESTRATOR, null, Integer.MAX_VALUE, null).chain();
    Installation installed = Objects.requireNonNull(chain.installation());
    return new OneChain(Objects.requireNonNull(installed.ingress()), () -> close(chain.id()));
  }

  /** Closes the chain. A failure is only logged, since the comparison itself has its result. */
  private void close(UUID chain) {
    try {
      Chain _ = closing.close(chain, true);
    } catch (Refusal refusal) {
      LOG.info(
          "chain {}: not closed, so it stays open until its time to live ends: {}",
          chain,
          refusal.reason());
    } catch (RuntimeException e) {
      LOG.warn(
          "chain {}: not closed, so it stays open until its time to live ends: {}",
          chain,
          e.toString());
    }
  }
}
