@NullMarked
package io.cascade;

import org.jspecify.annotations.NullMarked;
