package io.cascade.relay.handover;

import io.cascade.api.relay.Limits;

/**
 * Limits of a relay at the hand-over.
 *
 * @param commandLine limits that it was started with
 * @param now limits in force, after all changes
 */
public record TunedLimits(Limits commandLine, Limits now) {}
