/**
 * Keeps the orchestrator informed of this relay: registers, heartbeats, backs off, says goodbye.
 */
@NullMarked
package io.cascade.relay.registration;

import org.jspecify.annotations.NullMarked;
