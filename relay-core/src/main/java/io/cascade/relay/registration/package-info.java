/**
 * Keeps the orchestrator informed of this relay: registers, sends heartbeats, backs off, and signs
 * off.
 */
@NullMarked
package io.cascade.relay.registration;

import org.jspecify.annotations.NullMarked;
