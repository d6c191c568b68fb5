/** A thousand simulated relays and their callers, to load an orchestrator with. */
@NullMarked
package io.cascade.studies.crowd;

import org.jspecify.annotations.NullMarked;
