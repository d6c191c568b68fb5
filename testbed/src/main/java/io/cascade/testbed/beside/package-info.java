/** Effect of throughput tests and packet trains on streams that run beside them. */
@NullMarked
package io.cascade.testbed.beside;

import org.jspecify.annotations.NullMarked;
