/**
 * Content of {@code send}: opens the file, the standard input, or the folders and files, and makes
 * the header that describes them to the receiver. {@code io.cascade.client.transfer} moves it.
 */
@NullMarked
package io.cascade.client.sending;

import org.jspecify.annotations.NullMarked;
