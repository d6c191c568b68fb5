@NullMarked
package io.cascade.segments;

import org.jspecify.annotations.NullMarked;
