/**
 * Connections between relays: the authenticated header, accepting, dialling, and warm connections.
 */
@NullMarked
package io.cascade.relay.hop;

import org.jspecify.annotations.NullMarked;
