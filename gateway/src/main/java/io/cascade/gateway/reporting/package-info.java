/** Reports to an orchestrator, shared by gateways and splitter/combiners. */
@NullMarked
package io.cascade.gateway.reporting;

import org.jspecify.annotations.NullMarked;
