@NullMarked
package io.cascade.coding.block;

import org.jspecify.annotations.NullMarked;
