/** The relay's key and start counter, in a file. */
@NullMarked
package io.cascade.relay.identity;

import org.jspecify.annotations.NullMarked;
