package io.cascade.relay.probe;

import io.cascade.api.orchestrator.LinkMeasurement;
import java.util.List;

/**
 * Measurements since the last delivered report. Until {@link #delivered} is called, the next report
 * contains them again, with later ones.
 */
public interface LinkReport {

  List<LinkMeasurement> links();

  /** Records that the receiver has the report. Idempotent. */
  void delivered();
}
