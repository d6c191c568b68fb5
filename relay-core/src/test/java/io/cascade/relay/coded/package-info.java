@NullMarked
package io.cascade.relay.coded;

import org.jspecify.annotations.NullMarked;
