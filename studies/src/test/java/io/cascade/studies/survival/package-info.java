/** Tests. */
@NullMarked
package io.cascade.studies.survival;

import org.jspecify.annotations.NullMarked;
