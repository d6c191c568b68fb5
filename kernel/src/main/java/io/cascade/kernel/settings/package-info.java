/** Settings of the kernel, read from files without further system calls. */
@NullMarked
package io.cascade.kernel.settings;

import org.jspecify.annotations.NullMarked;
