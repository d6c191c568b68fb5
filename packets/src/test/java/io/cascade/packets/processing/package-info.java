@NullMarked
package io.cascade.packets.processing;

import org.jspecify.annotations.NullMarked;
