package io.cascade.client.verbs;

import io.cascade.client.estimate.Forwarding;
import io.cascade.client.estimate.HopList;
import io.cascade.client.estimate.LossText;
import io.cascade.client.estimate.Sweep;
import io.cascade.command.ParsedOption;
import io.cascade.model.estimate.SenderModel;

/** Converters of the options of {@code estimate}. */
final class EstimateConverters {
  private EstimateConverters() {}

  /** Converts hops of a scenario. */
  static final class Hops extends ParsedOption<HopList> {
    Hops() {
      super(HopList::parse);
    }
  }

  /** Converts a congestion control. */
  static final class Sender extends ParsedOption<SenderModel> {
    Sender() {
      super(HopList::sender);
    }
  }

  /** Converts the rule by which a relay forwards bytes. */
  static final class Relaying extends ParsedOption<Forwarding> {
    Relaying() {
      super(Forwarding::parse);
    }
  }

  /** Converts a loss, given or counted. */
  static final class Loss extends ParsedOption<LossText> {
    Loss() {
      super(LossText::parse);
    }
  }

  /** Converts values to sweep over. */
  static final class Sweeps extends ParsedOption<Sweep> {
    Sweeps() {
      super(Sweep::parse);
    }
  }
}
