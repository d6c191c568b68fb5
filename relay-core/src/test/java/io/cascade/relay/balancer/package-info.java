@NullMarked
package io.cascade.relay.balancer;

import org.jspecify.annotations.NullMarked;
