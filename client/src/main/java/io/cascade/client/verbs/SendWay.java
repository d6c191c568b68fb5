package io.cascade.client.verbs;

import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.Source;
import org.jspecify.annotations.Nullable;

/** Way that {@code send} takes. */
sealed interface SendWay {

  /**
   * Directly.
   *
   * @param why in a sentence
   * @param plan null where it was asked for
   */
  record Direct(String why, @Nullable Plan plan) implements SendWay {}

  /**
   * Through relays alone.
   *
   * @param why in a sentence
   * @param plan null where the relays were named
   * @param source what this host measured; null for nothing
   */
  record Relayed(String why, @Nullable Plan plan, @Nullable Source source) implements SendWay {}

  /** Directly at once, and through relays as the plan says that is made meanwhile. */
  record Both() implements SendWay {}

  /**
   * Both at the same time, of content that can be read once: what has not arrived is kept, within
   * bounds.
   *
   * @param source what this host measured; null for nothing
   */
  record BothOfStream(Plan plan, @Nullable Source source) implements SendWay {}
}
