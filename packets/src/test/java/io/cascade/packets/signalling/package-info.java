@NullMarked
package io.cascade.packets.signalling;

import org.jspecify.annotations.NullMarked;
