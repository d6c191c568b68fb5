/**
 * Authentication and authorisation of callers, and the addresses on which the orchestrator may
 * listen.
 */
@NullMarked
package io.cascade.orchestrator.security;

import org.jspecify.annotations.NullMarked;
