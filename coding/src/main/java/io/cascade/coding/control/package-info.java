/** Rate control of a session, which distinguishes random loss from congestion. */
@NullMarked
package io.cascade.coding.control;

import org.jspecify.annotations.NullMarked;
