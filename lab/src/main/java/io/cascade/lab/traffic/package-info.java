/** Connections between sites of a lab, for measurements. */
@NullMarked
package io.cascade.lab.traffic;

import org.jspecify.annotations.NullMarked;
