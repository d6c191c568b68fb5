/** Rate that a transfer leaves to another user's connection on the same links. */
@NullMarked
package io.cascade.studies.sharing;

import org.jspecify.annotations.NullMarked;
