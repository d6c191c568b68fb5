/**
 * What was measured: of links between relays within a sliding window, and of paths that clients'
 * transfers took. What a plan makes of it is in {@code planning}.
 */
@NullMarked
package io.cascade.orchestrator.links;

import org.jspecify.annotations.NullMarked;
