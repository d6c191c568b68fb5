/** Specifications of the package, as tests. */
@NullMarked
package io.cascade.orchestrator.splitters;

import org.jspecify.annotations.NullMarked;
