/** Events, kept for a while and told to whoever listens. */
@NullMarked
package io.cascade.orchestrator.events;

import org.jspecify.annotations.NullMarked;
