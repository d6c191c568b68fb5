/** Look-ups of names that hold up nothing else, and connections to what they resolve to. */
@NullMarked
package io.cascade.command.names;

import org.jspecify.annotations.NullMarked;
