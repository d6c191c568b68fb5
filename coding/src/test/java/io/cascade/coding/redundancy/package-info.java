@NullMarked
package io.cascade.coding.redundancy;

import org.jspecify.annotations.NullMarked;
