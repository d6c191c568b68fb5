/** The whole system as processes on loopback: what users do with it, and what befalls it. */
@NullMarked
package io.cascade.it;

import org.jspecify.annotations.NullMarked;
