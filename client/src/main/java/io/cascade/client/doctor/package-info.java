/** Checks whether this host, its orchestrator and its path to a peer are fit for Cascade. */
@NullMarked
package io.cascade.client.doctor;

import org.jspecify.annotations.NullMarked;
