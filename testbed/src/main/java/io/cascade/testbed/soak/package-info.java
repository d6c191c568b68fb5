/**
 * Hours of mixed load over chains of relays that are killed at random. {@link
 * io.cascade.testbed.soak.Soak} goes on for as long as it is told; the {@link
 * io.cascade.testbed.soak.SoakConnection}s compare digests with the {@link
 * io.cascade.testbed.soak.Host}, and nothing may break but what a kill explains.
 */
@NullMarked
package io.cascade.testbed.soak;

import org.jspecify.annotations.NullMarked;
