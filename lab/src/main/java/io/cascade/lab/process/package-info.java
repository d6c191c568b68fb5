/** Processes and the machine that they run on, for measurements. */
@NullMarked
package io.cascade.lab.process;

import org.jspecify.annotations.NullMarked;
