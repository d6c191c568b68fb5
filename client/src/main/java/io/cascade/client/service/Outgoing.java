package io.cascade.client.service;

import io.cascade.api.HostPort;
import io.cascade.api.transfers.TransferRequest;
import io.cascade.client.api.Sender;
import io.cascade.client.sealed.Code;
import io.cascade.client.service.ServiceProblem.Kind;
import io.cascade.client.transfer.FileName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a service may send and to which receivers: files and folders below its folders, to receivers
 * with a code or with its key.
 */
final class Outgoing {
  private final List<Path> folders;
  private final byte @Nullable [] key;

  /**
   * @param folders that may be sent, with everything below them
   * @param key that receivers have; null where they have codes alone
   * @throws IOException where one of the folders is not a folder
   */
  Outgoing(List<Path> folders, byte @Nullable [] key) throws IOException {
    this.folders = folders.stream().map(Path::toAbsolutePath).map(Path::normalize).toList();
    this.key = key == null ? null : key.clone();
    for (Path folder : this.folders) {
      if (!Files.isDirectory(folder)) {
        throw new IOException(folder + ": not a folder");
      }
    }
  }

  /**
   * The file or folder of a request. Links on its path are resolved, and the target decides; links
   * in a folder are sent as links.
   *
   * @throws ServiceProblem where it may not be sent, or cannot be
   */
  Path file(TransferRequest request) throws ServiceProblem {
    Path named;
    try {
      named = Path.of(request.file());
    } catch (InvalidPathException e) {
      throw new ServiceProblem(Kind.INVALID_REQUEST, "file: not a path");
    }
    if (!named.isAbsolute()) {
      throw new ServiceProblem(Kind.INVALID_REQUEST, "file: not an absolute path");
    }
    if (folders.stream().noneMatch(named.normalize()::startsWith)) {
      throw notAllowed();
    }
    Path real;
    try {
      real = named.toRealPath();
      if (!isWithin(real)) {
        throw notAllowed();
      }
    } catch (IOException e) {
      throw new ServiceProblem(Kind.UNSENDABLE, "file: it does not exist or cannot be read");
    }
    boolean isFolder = Files.isDirectory(real);
    if (!(isFolder || Files.isRegularFile(real)) || !Files.isReadable(real)) {
      throw new ServiceProblem(
          Kind.UNSENDABLE, "file: not a regular file or a folder that the service can read");
    }
    if (isFolder) {
      return real;
    }
    String objection = FileName.objection(String.valueOf(real.getFileName()));
    if (objection != null) {
      throw new ServiceProblem(Kind.UNSENDABLE, "file: no receiver accepts its name");
    }
    return real;
  }

  private boolean isWithin(Path real) throws IOException {
    for (Path folder : folders) {
      if (real.startsWith(folder.toRealPath())) {
        return true;
      }
    }
    return false;
  }

  private static ServiceProblem notAllowed() {
    return new ServiceProblem(
        Kind.FILE_NOT_ALLOWED,
        "file: not in a folder that the service was started with, or a link leads out of it");
  }

  /**
   * The receiver of a request for display, without its secret.
   *
   * @throws ServiceProblem where none is named, or more than one
   */
  String to(TransferRequest request) throws ServiceProblem {
    long named =
        Arrays.asList(request.code(), request.to(), request.through()).stream()
            .filter(Objects::nonNull)
            .count();
    if (named != 1) {
      throw new ServiceProblem(
          Kind.INVALID_REQUEST, "%d of code, to and through (expected: one)".formatted(named));
    }
    try {
      String code = request.code();
      if (code != null) {
        return Code.parse(code).at().toString();
      }
      return HostPort.parse(Objects.requireNonNullElse(request.to(), "" + request.through()))
          .toString();
    } catch (IllegalArgumentException e) { // The exception's message may contain the code.
      throw new ServiceProblem(
          Kind.INVALID_REQUEST,
          request.code() != null
              ? "code: no code (expected: what ./cascade receive printed)"
              : "to, through: no address (expected: HOST:PORT)");
    }
  }

  /**
   * A sender to the receiver of a request.
   *
   * @throws ServiceProblem where it needs a key that the service does not have
   */
  Sender sender(TransferRequest request) throws ServiceProblem {
    String at = to(request);
    Sender sender;
    if (request.code() != null) {
      sender = Sender.toCode(request.code());
    } else {
      byte[] shared = key;
      if (shared == null) {
        throw new ServiceProblem(
            Kind.UNSENDABLE,
            "to, through: the service has no key; fix: start it with --key-file, or give a code");
      }
      sender =
          request.to() != null
              ? Sender.toKey(HostPort.parse(at), shared)
              : Sender.toKeyThrough(HostPort.parse(at), shared);
    }
    Long limit = request.limitBitsPerSecond();
    if (limit != null) {
      sender = sender.limitedTo(limit);
    }
    Long retry = request.retryForSeconds();
    return retry == null ? sender : sender.retryingFor(Duration.ofSeconds(retry));
  }
}
