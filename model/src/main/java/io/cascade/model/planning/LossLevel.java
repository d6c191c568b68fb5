package io.cascade.model.planning;

import io.cascade.model.uncertainty.LossEstimate;

/** Value within a loss estimate's bounds at which every hop of a candidate is taken. */
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
