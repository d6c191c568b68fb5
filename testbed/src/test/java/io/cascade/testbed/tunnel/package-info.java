@NullMarked
package io.cascade.testbed.tunnel;

import org.jspecify.annotations.NullMarked;
