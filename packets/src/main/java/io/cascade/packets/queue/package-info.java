/** A queue that is fair to flows and keeps its delay short: FQ-CoDel (RFC 8290, RFC 8289). */
@NullMarked
package io.cascade.packets.queue;

import org.jspecify.annotations.NullMarked;
