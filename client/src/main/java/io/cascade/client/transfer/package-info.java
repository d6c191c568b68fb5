/**
 * Moves one file, or one stream of entries, so that both ends know whether it arrived. This package
 * holds the sending end ({@link io.cascade.client.transfer.FileTransfer}), and what it reads
 * ({@link io.cascade.client.transfer.Original}). The receiving end and the files that it writes are
 * in {@code receiver}, messages in {@code wire}, connections in {@code connection} and {@code
 * coded}, and the order of blocks in {@code schedule}.
 */
@NullMarked
package io.cascade.client.transfer;

import org.jspecify.annotations.NullMarked;
