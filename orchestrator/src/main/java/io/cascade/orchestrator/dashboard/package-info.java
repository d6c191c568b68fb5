/** The dashboard: files for a browser. All that they show comes from the public API. */
@NullMarked
package io.cascade.orchestrator.dashboard;

import org.jspecify.annotations.NullMarked;
