/**
 * What orchestrator and relay say over the control connection that the relay keeps: messages of a
 * line and a body, cut into frames so that a long one delays no other.
 */
@NullMarked
package io.cascade.api.control;

import org.jspecify.annotations.NullMarked;
