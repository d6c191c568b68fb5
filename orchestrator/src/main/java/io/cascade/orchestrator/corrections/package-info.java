/** Lessons of chains on the links between relays, beside what was measured. */
@NullMarked
package io.cascade.orchestrator.corrections;

import org.jspecify.annotations.NullMarked;
