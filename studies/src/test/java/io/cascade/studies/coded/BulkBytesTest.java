package io.cascade.studies.coded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class BulkBytesTest {
  private final BulkBytes bytes = new BulkBytes();

  @Test
  void aStreamIsCheckedInPiecesOfAnySizeAcrossItsPeriod() {
    ByteBuffer stream = ByteBuffer.allocate(300_000);
    long written = 0;
    while (stream.hasRemaining()) {
      ByteBuffer part = bytes.from(written);
      part.limit(Math.min(part.limit(), stream.remaining()));
      written += part.remaining();
      stream.put(part);
    }
    stream.flip();
    long at = 0;
    for (int length = 1; stream.hasRemaining(); length = 3 * length + 1) {
      ByteBuffer piece = stream.slice(stream.position(), Math.min(length, stream.remaining()));
      int taken = piece.remaining();
      assertThat(bytes.matches(piece, at)).isTrue();
      at += taken;
      stream.position(stream.position() + taken);
    }
  }

  @Test
  void aChangedByteAndAPieceThatIsMissingAreFound() {
    ByteBuffer part = ByteBuffer.allocate(3_000).put(bytes.from(0).limit(3_000)).flip();
    assertThat(bytes.matches(part.duplicate(), 1_434)).isFalse();
    part.put(2_999, (byte) (part.get(2_999) + 1));
    assertThat(bytes.matches(part, 0)).isFalse();
  }
}
