/** Connections between sites of a lab, to measure with. */
@NullMarked
package io.cascade.lab.traffic;

import org.jspecify.annotations.NullMarked;
