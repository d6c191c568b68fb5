/** Makes the system calls that neither the JDK nor Netty offers. */
@NullMarked
package io.cascade.relay.kernel;

import org.jspecify.annotations.NullMarked;
