/** IP and TCP headers: parsing that trusts nothing, rewriting with checksums, sequence numbers. */
@NullMarked
package io.cascade.packets.header;

import org.jspecify.annotations.NullMarked;
