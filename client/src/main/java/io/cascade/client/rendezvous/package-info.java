/** Two ends meet at a relay that both dial: connections without an open port at either of them. */
@NullMarked
package io.cascade.client.rendezvous;

import org.jspecify.annotations.NullMarked;
