@NullMarked
package io.cascade.carriage.rendezvous;

import org.jspecify.annotations.NullMarked;
