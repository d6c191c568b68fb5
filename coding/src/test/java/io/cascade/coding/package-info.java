@NullMarked
package io.cascade.coding;

import org.jspecify.annotations.NullMarked;
