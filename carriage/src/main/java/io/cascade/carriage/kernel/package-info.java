/** Makes the system calls that neither the JDK nor Netty offers. */
@NullMarked
package io.cascade.carriage.kernel;

import org.jspecify.annotations.NullMarked;
