/** Packets as a device with segmentation offloads hands them over: unfinished, and many in one. */
@NullMarked
package io.cascade.packets.offload;

import org.jspecify.annotations.NullMarked;
