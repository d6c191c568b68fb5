/** The command line as a whole: one root command over every verb. */
@NullMarked
package io.cascade;

import org.jspecify.annotations.NullMarked;
