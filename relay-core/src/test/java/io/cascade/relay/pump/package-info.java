/** Tests of pumps and their parts. */
@NullMarked
package io.cascade.relay.pump;

import org.jspecify.annotations.NullMarked;
