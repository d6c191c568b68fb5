/** Input and output of estimates: units, hops, sweeps, tables and charts. */
@NullMarked
package io.cascade.client.estimate;

import org.jspecify.annotations.NullMarked;
