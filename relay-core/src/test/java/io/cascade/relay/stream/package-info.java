@NullMarked
package io.cascade.relay.stream;

import org.jspecify.annotations.NullMarked;
