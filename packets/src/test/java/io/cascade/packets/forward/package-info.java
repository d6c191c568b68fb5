@NullMarked
package io.cascade.packets.forward;

import org.jspecify.annotations.NullMarked;
