/** Rules for who may call, and where the orchestrator may listen. */
@NullMarked
package io.cascade.orchestrator.security;

import org.jspecify.annotations.NullMarked;
