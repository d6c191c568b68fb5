@NullMarked
package io.cascade.testbed.rivals;

import org.jspecify.annotations.NullMarked;
