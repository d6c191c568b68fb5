@NullUnmarked
package io.cascade.relay.junction;

import org.jspecify.annotations.NullUnmarked;
