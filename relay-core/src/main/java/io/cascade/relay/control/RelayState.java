package io.cascade.relay.control;

import io.cascade.api.relay.Limits;
import io.cascade.api.relay.RelayHealth;
import org.jspecify.annotations.Nullable;

/** State of the relay as a whole. */
public interface RelayState {
  RelayHealth health();

  /** Describes what blocks the relay, as a text; null if nothing does. */
  @Nullable String blocked();

  Limits limits();

  /**
   * Changes limits; null values stay as they are.
   *
   * @return the new limits
   * @throws LimitsRefused if the relay cannot enforce them; then nothing is changed
   */
  Limits change(Limits wanted) throws LimitsRefused;
}
