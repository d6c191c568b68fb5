/** How fast a session may send: a rate controller that tells random loss from congestion. */
@NullMarked
package io.cascade.coding.control;

import org.jspecify.annotations.NullMarked;
