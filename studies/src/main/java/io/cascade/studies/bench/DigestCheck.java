package io.cascade.studies.bench;

import io.cascade.command.Digests;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.util.Random;

/** Sends random bytes and compares their SHA-256 with that of the destination. */
final class DigestCheck {
  private static final int BLOCK_BYTES = 64 * 1_024;

  private DigestCheck() {}

  /**
   * @throws IOException if the stream broke or the bytes were changed
   */
  static void pass(int port, long bytes, long seed) throws IOException {
    Random random = new Random(seed);
    MessageDigest digest = Digests.sha256();
    byte[] content = new byte[BLOCK_BYTES];
    try (Arena arena = Arena.ofConfined();
        TcpSocket socket = TcpSocket.connect(port)) {
      MemorySegment block = arena.allocate(BLOCK_BYTES);
      MemorySegment message = block.asSlice(0, Message.BYTES);
      Message.write(message, Message.Purpose.DIGEST, seed);
      socket.writeFully(message);
      for (long left = bytes; left > 0; left -= BLOCK_BYTES) {
        random.nextBytes(content);
        int length = (int) Math.min(left, BLOCK_BYTES);
        digest.update(content, 0, length);
        MemorySegment.copy(MemorySegment.ofArray(content), 0, block, 0, length);
        socket.writeFully(block.asSlice(0, length));
      }
      socket.shutdownOutput();
      MemorySegment answer = block.asSlice(0, digest.getDigestLength());
      socket.readFully(answer);
      if (answer.mismatch(MemorySegment.ofArray(digest.digest())) >= 0) {
        throw new IOException("the SHA-256 of " + bytes + " bytes differs at the far end");
      }
    }
  }
}
