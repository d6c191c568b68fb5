/**
 * Messages of a transfer on the wire: the sender's header and blocks, the receiver's replies. Each
 * class documents the layout of its message.
 */
@NullMarked
package io.cascade.client.transfer.wire;

import org.jspecify.annotations.NullMarked;
