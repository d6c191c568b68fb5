/** Proof of who a relay is: its key, and what it signs. */
@NullMarked
package io.cascade.api.identity;

import org.jspecify.annotations.NullMarked;
