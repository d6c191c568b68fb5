/**
 * Transfers by {@code send} and {@code receive} with a code, beside programs that copy files over
 * ssh and beside croc: their time, the fidelity of the copy, and the cost of a killed end.
 */
@NullMarked
package io.cascade.studies.transfers;

import org.jspecify.annotations.NullMarked;
