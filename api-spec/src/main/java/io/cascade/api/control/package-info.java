/**
 * Protocol of the control connection between orchestrator and relay: messages of a line and a body,
 * divided into frames so that a long one does not delay others.
 */
@NullMarked
package io.cascade.api.control;

import org.jspecify.annotations.NullMarked;
