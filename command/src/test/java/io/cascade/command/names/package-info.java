/** Specifications of the package, as tests. */
@NullMarked
package io.cascade.command.names;

import org.jspecify.annotations.NullMarked;
