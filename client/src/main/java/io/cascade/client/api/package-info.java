/**
 * Cascade's transfers for programs: {@link Sender} and {@link Receiver}. They depend on no command
 * line. What an orchestrator does, {@link io.cascade.api.client.OrchestratorClient} asks it for:
 * plans, chains, relays and events.
 */
@NullMarked
package io.cascade.client.api;

import org.jspecify.annotations.NullMarked;
