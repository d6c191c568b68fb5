/** Measures links to other relays with STAMP (RFC 8762) and connections to destinations. */
@NullMarked
package io.cascade.relay.probe;

import org.jspecify.annotations.NullMarked;
