/** IP and TCP headers: parsing of untrusted bytes, rewriting with checksums, sequence numbers. */
@NullMarked
package io.cascade.packets.header;

import org.jspecify.annotations.NullMarked;
