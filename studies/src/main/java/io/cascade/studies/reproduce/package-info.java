/** Comparison of the sources' published figures with the model. */
@NullMarked
package io.cascade.studies.reproduce;

import org.jspecify.annotations.NullMarked;
