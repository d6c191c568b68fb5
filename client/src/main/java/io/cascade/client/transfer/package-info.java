/**
 * Moves one file over any TCP connection so that both ends know whether it arrived: header, blocks,
 * SHA-256, and the receiver's answer.
 */
@NullMarked
package io.cascade.client.transfer;

import org.jspecify.annotations.NullMarked;
