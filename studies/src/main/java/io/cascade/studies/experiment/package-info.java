/** Sweeps over emulated paths: their descriptions, runs with real relays, and results. */
@NullMarked
package io.cascade.studies.experiment;

import org.jspecify.annotations.NullMarked;
