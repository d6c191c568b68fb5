package io.cascade.relay.stream;

import io.cascade.api.orchestrator.PipeTotals;
import java.util.List;

/** A connection whose bytes go over the pipes of a segment. */
public interface PipedConnection {
  /** Octets that each of its pipes has carried, by hop. From any thread. */
  List<PipeTotals> pipes();
}
