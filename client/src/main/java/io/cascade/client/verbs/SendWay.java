package io.cascade.client.verbs;

import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.Source;
import org.jspecify.annotations.Nullable;

/** Way that {@code send} chooses. */
sealed interface SendWay {

  /**
   * The direct way.
   *
   * @param why reason in a sentence
   * @param plan null where the user requested it
   */
  record Direct(String why, @Nullable Plan plan) implements SendWay {}

  /**
   * Relays alone.
   *
   * @param why reason in a sentence
   * @param plan null where the relays were named
   * @param source what this host measured; null for nothing
   */
  record Relayed(String why, @Nullable Plan plan, @Nullable Source source) implements SendWay {}

  /** Directly at once, and through relays according to the plan that is made meanwhile. */
  record Both() implements SendWay {}

  /**
   * Both at the same time, for content that can be read once: what has not arrived is kept, within
   * bounds.
   *
   * @param source what this host measured; null for nothing
   */
  record BothOfStream(Plan plan, @Nullable Source source) implements SendWay {}
}
