/** The HTTP layer that is common to all features: JSON, limits, and the contract itself. */
@NullMarked
package io.cascade.orchestrator.web;

import org.jspecify.annotations.NullMarked;
