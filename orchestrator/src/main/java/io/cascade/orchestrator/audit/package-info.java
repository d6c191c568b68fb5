/** A bounded trail of what callers changed. */
@NullMarked
package io.cascade.orchestrator.audit;

import org.jspecify.annotations.NullMarked;
