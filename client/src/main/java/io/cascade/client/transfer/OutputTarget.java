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
  Path of(TransferHeader header) {
    return Files.isDirectory(output) ? output.resolve(header.safeName()) : output;
  }
}
