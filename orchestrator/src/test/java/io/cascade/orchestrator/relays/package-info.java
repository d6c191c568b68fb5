/** Specifications of the package, as tests. */
@NullMarked
package io.cascade.orchestrator.relays;

import org.jspecify.annotations.NullMarked;
