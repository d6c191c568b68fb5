@NullMarked
package io.cascade.coding.stream;

import org.jspecify.annotations.NullMarked;
