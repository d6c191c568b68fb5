package io.cascade.client.transfer;

import java.nio.file.Path;
import java.time.Duration;

/**
 * A file that arrived, was verified and stands under its name.
 *
 * @param bytes of the file
 * @param from the address of the connection's other end
 * @param elapsed from the header to the rename
 */
public record Received(Path file, long bytes, Sha256 sha256, String from, Duration elapsed) {}
