package io.cascade.model.planning;

import io.cascade.model.uncertainty.LossEstimate;

/** Point within the bounds of a loss estimate, the same for every hop of a candidate. */
enum LossLevel {
  OPTIMISTIC,
  LIKELY,
  PESSIMISTIC;

  double of(LossEstimate estimate, double confidence) {
    return switch (this) {
      case OPTIMISTIC -> estimate.lower(confidence);
      case LIKELY -> estimate.likely();
      case PESSIMISTIC -> estimate.upper(confidence);
    };
  }
}
