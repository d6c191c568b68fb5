package io.cascade.relay.handover;

import io.cascade.api.relay.Limits;

/**
 * Limits of a relay at the hand-over.
 *
 * @param commandLine limits that it was started with
 * @param now limits that hold, after all changes since
 */
public record TunedLimits(Limits commandLine, Limits now) {}
