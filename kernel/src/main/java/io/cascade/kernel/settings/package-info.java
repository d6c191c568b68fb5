/** What the kernel is set to. No system calls of our own: files are read. */
@NullMarked
package io.cascade.kernel.settings;

import org.jspecify.annotations.NullMarked;
