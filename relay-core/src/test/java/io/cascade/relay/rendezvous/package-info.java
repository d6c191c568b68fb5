@NullMarked
package io.cascade.relay.rendezvous;

import org.jspecify.annotations.NullMarked;
