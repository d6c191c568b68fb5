@NullMarked
package io.cascade.relay.ingress;

import org.jspecify.annotations.NullMarked;
