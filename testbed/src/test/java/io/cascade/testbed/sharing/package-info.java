@NullMarked
package io.cascade.testbed.sharing;

import org.jspecify.annotations.NullMarked;
