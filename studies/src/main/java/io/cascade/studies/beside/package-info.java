/** Effect of throughput tests and packet trains on streams that run beside them. */
@NullMarked
package io.cascade.studies.beside;

import org.jspecify.annotations.NullMarked;
