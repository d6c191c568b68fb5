/** Reports to an orchestrator, which gateways and splitter/combiners send alike. */
@NullMarked
package io.cascade.gateway.reporting;

import org.jspecify.annotations.NullMarked;
