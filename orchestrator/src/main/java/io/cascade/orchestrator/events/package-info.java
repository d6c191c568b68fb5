/** Events: kept for a while, and streamed to subscribers. */
@NullMarked
package io.cascade.orchestrator.events;

import org.jspecify.annotations.NullMarked;
