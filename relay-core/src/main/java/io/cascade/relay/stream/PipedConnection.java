package io.cascade.relay.stream;

import io.cascade.api.orchestrator.PipeTotals;
import io.netty.util.AttributeKey;
import java.util.List;

/** Counts of a connection whose bytes are carried over the pipes of a segment. */
public interface PipedConnection {
  /** Attribute of a channel that holds them. */
  AttributeKey<PipedConnection> PIPES = AttributeKey.valueOf(PipedConnection.class, "PIPES");

  /** Octets that each of its pipes has carried, by hop. May be called from any thread. */
  List<PipeTotals> pipes();
}
