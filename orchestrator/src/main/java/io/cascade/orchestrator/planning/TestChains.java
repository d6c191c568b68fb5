package io.cascade.orchestrator.planning;

import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.orchestrator.problems.Refusal;
import java.util.List;

/** Opens chains that throughput tests are sent through. */
public interface TestChains {
  /**
   * Opens a chain. Blocks.
   *
   * @param destination HOST:PORT
   * @throws Refusal if no chain was opened
   */
  Opened open(List<String> relays, String destination, ChainOptions options);

  /** An open chain. */
  interface Opened extends AutoCloseable {
    /** Address at which its first relay accepts streams. */
    Endpoint ingress();

    /** Closes the chain and its streams. Does not throw. */
    @Override
    void close();
  }
}
