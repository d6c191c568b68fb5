/** Transfers that clients send now, for people to see. Kept in memory alone. */
@NullMarked
package io.cascade.orchestrator.transfers;

import org.jspecify.annotations.NullMarked;
