@NullMarked
package io.cascade.packets.encapsulation;

import org.jspecify.annotations.NullMarked;
