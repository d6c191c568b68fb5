/** Specifies how experiments are read, run and kept. */
@NullMarked
package io.cascade.studies.experiment;

import org.jspecify.annotations.NullMarked;
