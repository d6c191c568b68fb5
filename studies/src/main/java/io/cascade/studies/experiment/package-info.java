/**
 * Described sweeps over emulated paths: what is to be run, running it with the real relays, and
 * what was measured.
 */
@NullMarked
package io.cascade.studies.experiment;

import org.jspecify.annotations.NullMarked;
