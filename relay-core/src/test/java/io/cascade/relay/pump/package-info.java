/** When bytes leave a pump. */
@NullMarked
package io.cascade.relay.pump;

import org.jspecify.annotations.NullMarked;
