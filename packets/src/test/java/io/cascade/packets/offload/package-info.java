@NullMarked
package io.cascade.packets.offload;

import org.jspecify.annotations.NullMarked;
