/**
 * Network namespaces, TUN devices, raw sockets and real-time threads, by the kernel's own calls.
 */
@NullMarked
package io.cascade.kernel;

import org.jspecify.annotations.NullMarked;
