package io.cascade.relay.handover;

import io.cascade.api.relay.Limits;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;

/**
 * What a relay allows itself when it leaves. Follows its last word as a line of its own and not in
 * the {@link Estate}, which a successor has to understand as a whole: one that knows nothing of
 * this has hung up by then, and a relay that knows nothing of it hangs up instead.
 *
 * @param commandLine what it was started with
 * @param now what it was told since
 */
public record TunedLimits(@NotNull @Valid Limits commandLine, @NotNull @Valid Limits now) {}
