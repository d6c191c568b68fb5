@NullMarked
package io.cascade.relay.preamble;

import org.jspecify.annotations.NullMarked;
