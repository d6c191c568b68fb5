package io.cascade.orchestrator.relays;

import java.util.List;

/** Users of relays, who need them to stay. */
public interface RelayUse {

  /** Names what uses the relay, for the one who wants it gone; empty when nothing does. */
  List<String> of(String relay);
}
