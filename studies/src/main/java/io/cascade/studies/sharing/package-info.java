/** What the ends of a transfer leave to somebody else's connection on the same links. */
@NullMarked
package io.cascade.studies.sharing;

import org.jspecify.annotations.NullMarked;
