package io.cascade.model.planning;

import io.cascade.model.uncertainty.LossEstimate;

/** Which value within a loss estimate's bounds every hop of a candidate is taken at. */
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
