@NullMarked
package io.cascade.coding.loss;

import org.jspecify.annotations.NullMarked;
