@NullMarked
package io.cascade.coding.datagram;

import org.jspecify.annotations.NullMarked;
