@NullMarked
package io.cascade.carriage.junction;

import org.jspecify.annotations.NullMarked;
