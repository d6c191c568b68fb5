/** Packets of a device with segmentation offloads: incomplete, and many in one. */
@NullMarked
package io.cascade.packets.offload;

import org.jspecify.annotations.NullMarked;
