/** Two ends meet at a relay that both dial, so that neither needs an open port. */
@NullMarked
package io.cascade.client.rendezvous;

import org.jspecify.annotations.NullMarked;
