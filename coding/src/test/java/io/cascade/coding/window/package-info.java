@NullMarked
package io.cascade.coding.window;

import org.jspecify.annotations.NullMarked;
