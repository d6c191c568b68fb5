@NullMarked
package io.cascade.studies.measured;

import org.jspecify.annotations.NullMarked;
