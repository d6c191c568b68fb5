package io.cascade.relay.control;

import io.cascade.api.relay.Limits;
import io.cascade.api.relay.RelayHealth;
import org.jspecify.annotations.Nullable;

/** State of the relay as a whole. */
public interface RelayState {
  RelayHealth health();

  /** What stands still, in words; null where nothing does. */
  @Nullable String blocked();

  Limits limits();

  /**
   * Changes limits; what is null stays as it is.
   *
   * @return the limits from now on
   * @throws LimitsRefused when the relay cannot keep them; then nothing is changed
   */
  Limits change(Limits wanted) throws LimitsRefused;
}
