/**
 * Moves one file, or one stream of entries, so that both ends know whether it arrived. Here are the
 * sending end ({@link io.cascade.client.transfer.FileTransfer}) and the files of both ends: what is
 * read ({@link io.cascade.client.transfer.Original}) and what is written ({@link
 * io.cascade.client.transfer.OutputTarget}). The receiving end is in {@code receiver}, messages are
 * in {@code wire}, connections in {@code connection} and {@code coded}, and the order of blocks in
 * {@code schedule}.
 */
@NullMarked
package io.cascade.client.transfer;

import org.jspecify.annotations.NullMarked;
