/** Network namespaces, TUN devices and real-time threads, by the kernel's own calls. */
@NullMarked
package io.cascade.testbed.namespaces;

import org.jspecify.annotations.NullMarked;
