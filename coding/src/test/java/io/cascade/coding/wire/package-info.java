@NullMarked
package io.cascade.coding.wire;

import org.jspecify.annotations.NullMarked;
