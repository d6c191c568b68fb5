@NullMarked
package io.cascade.client.rendezvous;

import org.jspecify.annotations.NullMarked;
