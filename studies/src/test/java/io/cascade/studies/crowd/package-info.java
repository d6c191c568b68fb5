/** Tests. */
@NullMarked
package io.cascade.studies.crowd;

import org.jspecify.annotations.NullMarked;
