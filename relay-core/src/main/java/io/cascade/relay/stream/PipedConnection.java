package io.cascade.relay.stream;

import io.cascade.api.orchestrator.PipeTotals;
import io.netty.util.AttributeKey;
import java.util.List;

/** What a connection whose bytes go over the pipes of a segment tells of them. */
public interface PipedConnection {
  /** Attribute under which a channel has it. */
  AttributeKey<PipedConnection> PIPES = AttributeKey.valueOf(PipedConnection.class, "PIPES");

  /** Octets that each of its pipes has carried, by hop. May be called from any thread. */
  List<PipeTotals> pipes();
}
