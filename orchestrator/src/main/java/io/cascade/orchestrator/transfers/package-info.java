/** Transfers that clients are sending, for people to see. Kept in memory only. */
@NullMarked
package io.cascade.orchestrator.transfers;

import org.jspecify.annotations.NullMarked;
