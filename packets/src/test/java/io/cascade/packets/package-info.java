@NullMarked
package io.cascade.packets;

import org.jspecify.annotations.NullMarked;
