/** The registered relays, and whether they are alive. */
@NullMarked
package io.cascade.orchestrator.relays;

import org.jspecify.annotations.NullMarked;
