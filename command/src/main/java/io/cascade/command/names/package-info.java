/** Name look-ups that block no other work, and connections to the resolved addresses. */
@NullMarked
package io.cascade.command.names;

import org.jspecify.annotations.NullMarked;
