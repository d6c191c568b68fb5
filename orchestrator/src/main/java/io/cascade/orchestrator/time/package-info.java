/** Time, for everybody, so that tests can set it. */
@NullMarked
package io.cascade.orchestrator.time;

import org.jspecify.annotations.NullMarked;
