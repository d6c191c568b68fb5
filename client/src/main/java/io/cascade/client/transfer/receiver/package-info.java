/**
 * The receiving end: accepts connections, finds the transfer of each, writes blocks to the
 * destination that {@link io.cascade.client.transfer.receiver.OutputTarget} names, journals them,
 * and answers.
 */
@NullMarked
package io.cascade.client.transfer.receiver;

import org.jspecify.annotations.NullMarked;
