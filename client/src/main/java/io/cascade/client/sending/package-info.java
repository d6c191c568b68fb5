/**
 * What a sender is given to send, opened and described to its receiver: a file, the standard input,
 * or folders and files as one stream.
 */
@NullMarked
package io.cascade.client.sending;

import org.jspecify.annotations.NullMarked;
