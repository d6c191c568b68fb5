package io.cascade.client.transfer;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The place of what arrives.
 *
 * @param output a file, or a folder that takes files under the names their senders give them
 * @param overwrite whether a file that is there already gives way
 * @param sync whether a file is on the disk itself, not only in the system's memory, before the
 *     sender is told that it stands
 */
public record OutputTarget(Path output, boolean overwrite, boolean sync) {
  /**
   * Begins to write what a header announces, or goes on with it.
   *
   * @throws TransferFailed where it may not or cannot be written
   */
  ArrivingFile open(TransferHeader header) throws TransferFailed {
    return PartFile.create(of(header), this, header);
  }

  Path of(TransferHeader header) {
    return Files.isDirectory(output) ? output.resolve(header.safeName()) : output;
  }
}
