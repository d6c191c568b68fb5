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
   * @throws Refusal where there will be no chain
   */
  Opened open(List<String> relays, String destination, ChainOptions options);

  /** A chain until it is closed. */
  interface Opened extends AutoCloseable {
    /** Address at which its first relay takes streams. */
    Endpoint ingress();

    /** Closes it, with what runs through it. Does not fail. */
    @Override
    void close();
  }
}
