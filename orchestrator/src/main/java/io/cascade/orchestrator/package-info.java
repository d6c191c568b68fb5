/** The control plane: the known relays, the state of their links, and the chains over them. */
@NullMarked
package io.cascade.orchestrator;

import org.jspecify.annotations.NullMarked;
