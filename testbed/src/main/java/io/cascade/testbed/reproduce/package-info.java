/** The sources' published figures, held against the model. */
@NullMarked
package io.cascade.testbed.reproduce;

import org.jspecify.annotations.NullMarked;
