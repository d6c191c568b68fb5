/** Specifications of the package, as tests. */
@NullMarked
package io.cascade.relay.thread;

import org.jspecify.annotations.NullMarked;
