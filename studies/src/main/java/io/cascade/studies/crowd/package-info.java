/** A thousand simulated relays and their callers, as load for an orchestrator. */
@NullMarked
package io.cascade.studies.crowd;

import org.jspecify.annotations.NullMarked;
