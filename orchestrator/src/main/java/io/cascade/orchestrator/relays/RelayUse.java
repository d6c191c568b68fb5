package io.cascade.orchestrator.relays;

import java.util.List;

/** Feature that uses relays and needs them to stay. */
public interface RelayUse {

  /**
   * Describes the uses of a relay, for a caller that wants to delete it; empty if there are none.
   */
  List<String> of(String relay);
}
