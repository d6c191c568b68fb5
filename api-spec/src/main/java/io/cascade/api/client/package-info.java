/** Blocking clients of both contracts, for virtual threads and command lines. */
@NullMarked
package io.cascade.api.client;

import org.jspecify.annotations.NullMarked;
