@NullMarked
package io.cascade.coding.crypto;

import org.jspecify.annotations.NullMarked;
