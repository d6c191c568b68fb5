/**
 * Tests that send random bytes for some seconds: to a receiver, to a relay. What arrives, and how
 * quickly, is what the path carries.
 */
@NullMarked
package io.cascade.client.throughput;

import org.jspecify.annotations.NullMarked;
