/**
 * Functions of the C library ({@link io.cascade.kernel.CLibrary}), and what is made of them:
 * network namespaces, TUN devices, raw sockets, real-time threads.
 */
@NullMarked
package io.cascade.kernel;

import org.jspecify.annotations.NullMarked;
