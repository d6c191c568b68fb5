/** Handshake of a session and protection of its datagrams, independent of what it carries. */
@NullMarked
package io.cascade.coding.crypto;

import org.jspecify.annotations.NullMarked;
