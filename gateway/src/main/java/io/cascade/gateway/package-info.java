/** Takes packets out of the kernel and sends them over several pipes, below TCP. */
@NullMarked
package io.cascade.gateway;

import org.jspecify.annotations.NullMarked;
