/** A network of sites and emulated links on one machine, with relays and an orchestrator in it. */
@NullMarked
package io.cascade.lab;

import org.jspecify.annotations.NullMarked;
