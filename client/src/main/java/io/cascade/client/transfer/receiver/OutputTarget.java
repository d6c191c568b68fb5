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
 * Destination of arriving files.
 *
 * @param output a file, or a folder that receives files under the names that their senders give
 *     them
 * @param overwrite whether an existing file is replaced
 * @param sync whether a file is forced to disk before the sender is told that it is complete
 * @param entries told which entry of a stream is created
 */
public record OutputTarget(Path output, boolean overwrite, boolean sync, EntryListener entries) {
  /** Creates a target without a listener of entries. */
  public OutputTarget(Path output, boolean overwrite, boolean sync) {
    this(output, overwrite, sync, EntryListener.SILENT);
  }

  /**
   * Checks, before senders are invited, that a file can be created at the output.
   *
   * @throws TransferFailed where it cannot
   */
  public void requireWritable() throws TransferFailed {
    boolean isFolder = Files.isDirectory(output);
    if (!isFolder && Files.exists(output) && !Files.isRegularFile(output)) {
      return; // A device or a named pipe, which is written to directly.
    }
    Path folder = isFolder ? output : output.toAbsolutePath().getParent();
    try {
      Files.delete(Files.createTempFile(folder, ".cascade-", "-writable"));
    } catch (IOException e) {
      throw new TransferFailed(
          ("nothing can be written to %s: %s; fix: choose another --output, or run as a user who"
                  + " may write there")
              .formatted(folder, PartFile.reason(e)),
          e);
    }
    if (sync && folder != null && !Files.isReadable(folder)) { // The folder is opened to be forced.
      throw new TransferFailed(
          "--sync needs to read %s; fix: chmod u+r, or leave out --sync".formatted(folder));
    }
  }

  /**
   * Opens the destination of what a header announces: new, resumed, or an existing file to compare.
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
   * Opens the destination of what a header announces, without regard to an existing file.
   *
   * @throws TransferFailed where it may not or cannot be written
   */
  ArrivingFile create(TransferHeader header) throws TransferFailed {
    return PartFile.create(of(header), this, header);
  }

  /**
   * Path of the file that a header announces, or of the folder for its entries.
   *
   * @throws TransferFailed where its name is not allowed, or is invalid on this system
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
    } catch (InvalidPathException e) { // The locale's charset cannot encode it.
      throw new TransferFailed(
          ("the name '%s' has characters that the receiver's locale lacks; fix: start it with"
                  + " LC_ALL=C.UTF-8, or send --name NAME")
              .formatted(Printable.line(header.name())),
          e);
    }
  }
}
