@NullMarked
package io.cascade.coding.field;

import org.jspecify.annotations.NullMarked;
