/** Conclusions from the kernel's counters of a TCP connection. Makes no calls. */
@NullMarked
package io.cascade.kernel.tcp;

import org.jspecify.annotations.NullMarked;
