/**
 * Functions of the C library ({@link io.cascade.kernel.CLibrary}), and classes based on them:
 * network namespaces, TUN devices, raw sockets, real-time threads.
 */
@NullMarked
package io.cascade.kernel;

import org.jspecify.annotations.NullMarked;
