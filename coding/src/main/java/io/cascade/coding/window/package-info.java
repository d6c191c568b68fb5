/**
 * Random linear coding over a sliding window (RFC 8681): symbols, coefficients, the encoder and a
 * decoder that eliminates over missing columns only.
 */
@NullMarked
package io.cascade.coding.window;

import org.jspecify.annotations.NullMarked;
