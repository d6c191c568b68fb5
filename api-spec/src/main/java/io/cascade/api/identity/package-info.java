/** How a relay proves who it is: its key, and what it signs. */
@NullMarked
package io.cascade.api.identity;

import org.jspecify.annotations.NullMarked;
