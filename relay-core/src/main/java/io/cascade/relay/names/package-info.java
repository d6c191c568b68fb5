/** Look-ups of the names of destinations. */
@NullMarked
package io.cascade.relay.names;

import org.jspecify.annotations.NullMarked;
