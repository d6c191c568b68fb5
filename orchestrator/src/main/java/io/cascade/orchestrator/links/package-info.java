/** Measurements of relays between each other, within a sliding window. */
@NullMarked
package io.cascade.orchestrator.links;

import org.jspecify.annotations.NullMarked;
