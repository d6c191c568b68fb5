/**
 * The receiving end: takes connections, finds the transfer of each, writes blocks to where {@link
 * io.cascade.client.transfer.receiver.OutputTarget} says, journals them, and answers.
 */
@NullMarked
package io.cascade.client.transfer.receiver;

import org.jspecify.annotations.NullMarked;
