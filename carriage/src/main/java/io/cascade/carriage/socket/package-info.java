/**
 * Opens and accepts the connections that carry streams, all with the same settings: reset on close,
 * and no automatic reading.
 */
@NullMarked
package io.cascade.carriage.socket;

import org.jspecify.annotations.NullMarked;
