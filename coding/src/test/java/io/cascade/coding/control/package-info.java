@NullMarked
package io.cascade.coding.control;

import org.jspecify.annotations.NullMarked;
