/** Arithmetic in GF(2^8), on bytes and on blocks of them. */
@NullMarked
package io.cascade.coding.field;

import org.jspecify.annotations.NullMarked;
