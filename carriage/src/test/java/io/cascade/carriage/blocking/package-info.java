@NullMarked
package io.cascade.carriage.blocking;

import org.jspecify.annotations.NullMarked;
