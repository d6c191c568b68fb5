/** Gateways of tunnels that report, and the tunnels that they have to carry. */
@NullMarked
package io.cascade.orchestrator.gateways;

import org.jspecify.annotations.NullMarked;
