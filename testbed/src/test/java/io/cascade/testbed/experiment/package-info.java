/** Specifies how experiments are read, run and kept. */
@NullMarked
package io.cascade.testbed.experiment;

import org.jspecify.annotations.NullMarked;
