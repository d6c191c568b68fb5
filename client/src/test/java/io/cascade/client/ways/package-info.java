@NullMarked
package io.cascade.client.ways;

import org.jspecify.annotations.NullMarked;
