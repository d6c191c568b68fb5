/** Specifications of the package, as tests. */
@NullMarked
package io.cascade.orchestrator.problems;

import org.jspecify.annotations.NullMarked;
