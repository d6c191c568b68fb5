@NullMarked
package io.cascade.testbed.bench;

import org.jspecify.annotations.NullMarked;
