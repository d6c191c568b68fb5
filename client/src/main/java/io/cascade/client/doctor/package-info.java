/** Whether this host, its orchestrator and its way to a peer are fit for Cascade. */
@NullMarked
package io.cascade.client.doctor;

import org.jspecify.annotations.NullMarked;
