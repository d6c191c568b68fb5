package io.cascade.client.transfer.receiver;

import io.cascade.client.entries.EntryListener;
import io.cascade.client.transfer.FileName;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.wire.TransferHeader;
import io.cascade.command.Printable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * The place of what arrives.
 *
 * @param output a file, or a folder that takes files under the names their senders give them
 * @param overwrite whether a file that is there already gives way
 * @param sync whether a file is on the disk itself, not only in the system's memory, before the
 *     sender is told that it stands
 * @param entries hears which entry of a stream is made
 */
public record OutputTarget(Path output, boolean overwrite, boolean sync, EntryListener entries) {
  /** Nobody hears of entries. */
  public OutputTarget(Path output, boolean overwrite, boolean sync) {
    this(output, overwrite, sync, EntryListener.SILENT);
  }

  /**
   * Makes sure, before anybody is invited, that a file can be made where the output is to be.
   *
   * @throws TransferFailed where it cannot
   */
  public void requireWritable() throws TransferFailed {
    boolean isFolder = Files.isDirectory(output);
    if (!isFolder && Files.exists(output) && !Files.isRegularFile(output)) {
      return; // A device or a named pipe, which is written to itself.
    }
    Path folder = isFolder ? output : output.toAbsolutePath().getParent();
    try {
      Files.delete(Files.createTempFile(folder, ".cascade-", "-writable"));
    } catch (IOException e) {
      throw new TransferFailed(
          "nothing can be written to %s: %s; fix: another --output, or a user who may"
              .formatted(folder, PartFile.reason(e)),
          e);
    }
    if (sync && folder != null && !Files.isReadable(folder)) { // It is opened to be forced.
      throw new TransferFailed(
          "--sync needs to read %s; fix: chmod u+r, or leave out --sync".formatted(folder));
    }
  }

  /**
   * Begins to write what a header announces, or goes on with it, or compares it with what stands.
   *
   * @throws TransferFailed where it may not or cannot be written
   */
  ArrivingFile open(TransferHeader header) throws TransferFailed {
    if (header.entries()) {
      return ArrivingEntries.open(this);
    }
    Path file = of(header);
    StandingFile standing = StandingFile.of(file, this, header);
    return standing == null ? PartFile.create(file, this, header) : standing;
  }

  /**
   * Begins to write what a header announces, whatever stands.
   *
   * @throws TransferFailed where it may not or cannot be written
   */
  ArrivingFile create(TransferHeader header) throws TransferFailed {
    return PartFile.create(of(header), this, header);
  }

  /**
   * Path of the file that a header announces, or of the folder for its entries.
   *
   * @throws TransferFailed where its name is not allowed, or none on this system
   */
  Path of(TransferHeader header) throws TransferFailed {
    if (header.entries()) {
      return ArrivingEntries.folder(this);
    }
    if (!Files.isDirectory(output)) {
      return output;
    }
    String objection = FileName.objection(header.name());
    if (objection != null) {
      throw new TransferFailed(objection);
    }
    try {
      return output.resolve(header.name());
    } catch (InvalidPathException e) { // Of a locale whose character map does not have it.
      throw new TransferFailed(
          "the name '%s' has characters that the receiver's locale has not; fix: start it with LC_ALL=C.UTF-8, or send --name NAME"
              .formatted(Printable.line(header.name())),
          e);
    }
  }
}
