/** Look-ups of names that hold up nothing else. */
@NullMarked
package io.cascade.command.names;

import org.jspecify.annotations.NullMarked;
