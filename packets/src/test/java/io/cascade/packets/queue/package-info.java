@NullMarked
package io.cascade.packets.queue;

import org.jspecify.annotations.NullMarked;
