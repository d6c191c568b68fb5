/** Specifications of the package, as tests. */
@NullMarked
package io.cascade.orchestrator.audit;

import org.jspecify.annotations.NullMarked;
