/**
 * Cascade's transfers for programs: {@link Sender} and {@link Receiver}. They do not depend on a
 * command line. For plans, chains, relays and events use {@link
 * io.cascade.api.client.OrchestratorClient}.
 */
@NullMarked
package io.cascade.client.api;

import org.jspecify.annotations.NullMarked;
