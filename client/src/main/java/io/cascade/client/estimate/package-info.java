/** Estimates as people ask for them and read them: units, hops, sweeps, tables and charts. */
@NullMarked
package io.cascade.client.estimate;

import org.jspecify.annotations.NullMarked;
