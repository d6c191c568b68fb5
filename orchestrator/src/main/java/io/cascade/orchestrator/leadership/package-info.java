/**
 * Election of the leader among several orchestrators, and the restrictions of those that do not
 * lead.
 */
@NullMarked
package io.cascade.orchestrator.leadership;

import org.jspecify.annotations.NullMarked;
