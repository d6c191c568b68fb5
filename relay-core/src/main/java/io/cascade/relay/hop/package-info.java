/** Connections between relays: the authenticated header, accepting, dialling, keeping warm. */
@NullMarked
package io.cascade.relay.hop;

import org.jspecify.annotations.NullMarked;
