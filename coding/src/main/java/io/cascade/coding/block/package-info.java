/** The block code of the TCP/NC tunnel: how many coded packets n packets need. */
@NullMarked
package io.cascade.coding.block;

import org.jspecify.annotations.NullMarked;
