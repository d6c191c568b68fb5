/**
 * Hours of mixed load over chains of relays that are killed at random. {@link
 * io.cascade.lab.soak.Soak} goes on for as long as it is told; the {@link
 * io.cascade.lab.soak.SoakConnection}s compare digests with the {@link io.cascade.lab.soak.Host},
 * and nothing may break but what a kill explains.
 */
@NullMarked
package io.cascade.lab.soak;

import org.jspecify.annotations.NullMarked;
