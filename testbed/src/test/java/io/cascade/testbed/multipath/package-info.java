@NullMarked
package io.cascade.testbed.multipath;

import org.jspecify.annotations.NullMarked;
