/** The sources' published figures, held against the model. */
@NullMarked
package io.cascade.studies.reproduce;

import org.jspecify.annotations.NullMarked;
