/** The control plane: which relays there are, how their links do, and the chains over them. */
@NullMarked
package io.cascade.orchestrator;

import org.jspecify.annotations.NullMarked;
