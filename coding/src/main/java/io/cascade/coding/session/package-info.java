/**
 * A coded session: datagrams and times in, datagrams and times out, a stream of bytes in each
 * direction.
 */
@NullMarked
package io.cascade.coding.session;

import org.jspecify.annotations.NullMarked;
