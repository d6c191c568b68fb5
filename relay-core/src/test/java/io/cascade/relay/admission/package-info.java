@NullMarked
package io.cascade.relay.admission;

import org.jspecify.annotations.NullMarked;
