/** What throughput tests and packet trains do to streams that run beside them. */
@NullMarked
package io.cascade.testbed.beside;

import org.jspecify.annotations.NullMarked;
