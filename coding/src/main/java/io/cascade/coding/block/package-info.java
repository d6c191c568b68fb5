/** The block code of the TCP/NC tunnel: how many coded packets to send for n packets. */
@NullMarked
package io.cascade.coding.block;

import org.jspecify.annotations.NullMarked;
