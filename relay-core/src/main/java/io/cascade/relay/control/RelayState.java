package io.cascade.relay.control;

import io.cascade.api.relay.Limits;
import io.cascade.api.relay.RelayHealth;

/** State of the relay as a whole. */
public interface RelayState {
  RelayHealth health();

  Limits limits();

  /**
   * Changes limits; what is null stays as it is.
   *
   * @return the limits from now on
   * @throws LimitsRefused when the relay cannot keep them; then nothing is changed
   */
  Limits change(Limits wanted) throws LimitsRefused;
}
