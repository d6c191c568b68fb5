@NullMarked
package io.cascade.testbed.soak;

import org.jspecify.annotations.NullMarked;
