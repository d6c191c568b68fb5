@NullMarked
package io.cascade.packets.scap;

import org.jspecify.annotations.NullMarked;
