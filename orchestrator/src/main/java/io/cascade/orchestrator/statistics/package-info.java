/** What relays and chains do now, and which hop holds a chain up. */
@NullMarked
package io.cascade.orchestrator.statistics;

import org.jspecify.annotations.NullMarked;
