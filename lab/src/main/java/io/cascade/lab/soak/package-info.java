/**
 * Hours of mixed load over chains of relays that are killed at random. {@link
 * io.cascade.lab.soak.Soak} runs for the given time; the {@link
 * io.cascade.lab.soak.SoakConnection}s compare digests with the {@link io.cascade.lab.soak.Host},
 * and only failures that a kill explains are allowed.
 */
@NullMarked
package io.cascade.lab.soak;

import org.jspecify.annotations.NullMarked;
