/**
 * Opens and accepts the connections that streams run on, all alike: armed to reset, never reading
 * by themselves.
 */
@NullMarked
package io.cascade.carriage.socket;

import org.jspecify.annotations.NullMarked;
