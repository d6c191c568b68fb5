@NullMarked
package io.cascade.client.throughput;

import org.jspecify.annotations.NullMarked;
