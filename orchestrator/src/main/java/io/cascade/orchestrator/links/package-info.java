/**
 * Measurements: of links between relays within a sliding window, and of paths that clients'
 * transfers took. Package {@code planning} derives plans from them.
 */
@NullMarked
package io.cascade.orchestrator.links;

import org.jspecify.annotations.NullMarked;
