package io.cascade.relay.pump;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class SpoolTest {
  @Test
  void nobodyElseCanLookIntoItsFolderAndNothingIsLeftThere(@TempDir Path parent) throws Exception {
    Path folder = parent.resolve("spool-r1");
    Spool spool = new Spool(folder, 1_000);
    spool.append(Unpooled.wrappedBuffer(new byte[] {1, 2, 3})).get(10, TimeUnit.SECONDS);

    ByteBuf read = spool.next(ByteBufAllocator.DEFAULT).get(10, TimeUnit.SECONDS);
    try {
      assertThat(read.readableBytes()).isEqualTo(3);
    } finally {
      read.release();
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
        .isEqualTo("rwx------");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).isEmpty();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    spool.close();
  }
}
