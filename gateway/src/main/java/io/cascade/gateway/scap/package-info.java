/** The splitter/combiner on this machine's own network devices, and its verb. */
@NullMarked
package io.cascade.gateway.scap;

import org.jspecify.annotations.NullMarked;
