/** The relay node: composition root, settings and command. */
@NullMarked
package io.cascade.relay;

import org.jspecify.annotations.NullMarked;
