/** The clocks of all features, so that tests can set them. */
@NullMarked
package io.cascade.orchestrator.time;

import org.jspecify.annotations.NullMarked;
