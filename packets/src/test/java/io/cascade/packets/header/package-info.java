@NullMarked
package io.cascade.packets.header;

import org.jspecify.annotations.NullMarked;
