@NullMarked
package io.cascade.relay.socket;

import org.jspecify.annotations.NullMarked;
