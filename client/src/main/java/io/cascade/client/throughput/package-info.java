/**
 * Tests that send random bytes for some seconds to a receiver or a relay. The rate at which the
 * bytes arrive is what the path carries.
 */
@NullMarked
package io.cascade.client.throughput;

import org.jspecify.annotations.NullMarked;
