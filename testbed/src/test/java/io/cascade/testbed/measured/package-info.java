@NullMarked
package io.cascade.testbed.measured;

import org.jspecify.annotations.NullMarked;
