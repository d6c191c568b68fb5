package io.cascade.relay.probe;

import io.cascade.api.orchestrator.LinkMeasurement;
import java.util.List;

/**
 * Measurements since the last report that was delivered. As long as {@link #delivered} is not
 * called, the next report holds it again, with what came meanwhile.
 */
public interface LinkReport {

  List<LinkMeasurement> links();

  /** Notes that the receiver has the report. Idempotent. */
  void delivered();
}
