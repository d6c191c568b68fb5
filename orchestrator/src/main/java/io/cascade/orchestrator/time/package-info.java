/** What time it is, for everybody, so that tests can say what time it is. */
@NullMarked
package io.cascade.orchestrator.time;

import org.jspecify.annotations.NullMarked;
