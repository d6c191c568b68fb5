/** Identity of relays: their keys, and what they sign. */
@NullMarked
package io.cascade.api.identity;

import org.jspecify.annotations.NullMarked;
