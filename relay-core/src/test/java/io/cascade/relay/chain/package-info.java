@NullMarked
package io.cascade.relay.chain;

import org.jspecify.annotations.NullMarked;
