/** Ports that applications connect to. */
@NullMarked
package io.cascade.relay.ingress;

import org.jspecify.annotations.NullMarked;
