/** Processes and the machine that they run on, as measurements see them. */
@NullMarked
package io.cascade.lab.process;

import org.jspecify.annotations.NullMarked;
