/**
 * Junctions in the agent's process: local connections on one side, pipes on the other. A stream
 * over pipes is in {@code io.cascade.carriage.junction}; here its pipes are dialled and taken.
 */
@NullMarked
package io.cascade.client.forward;

import org.jspecify.annotations.NullMarked;
