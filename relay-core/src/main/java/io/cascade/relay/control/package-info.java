/** The relay-control contract served over HTTP: what an orchestrator may ask of this relay. */
@NullMarked
package io.cascade.relay.control;

import org.jspecify.annotations.NullMarked;
