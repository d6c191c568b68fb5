package io.cascade.gateway.tunnel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.kernel.TunDevice;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.FileDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TunPortTest {
  @Test
  void whatComesAfterTheEndIsNotWrittenToWhateverHasTheNumberThen(@TempDir Path folder)
      throws Exception {
    Epoll.ensureAvailability(); // Loads what opens files.
    Path first = Files.createFile(folder.resolve("first"));
    Path second = Files.createFile(folder.resolve("second"));
    int number = FileDescriptor.from(first.toFile()).intValue();
    TunPort port = new TunPort(new TunDevice("tunnel0", number, false), (_, _) -> {}, () -> {});
    port.close();
    List<FileDescriptor> descriptors = new ArrayList<>();
    await()
        .until(() -> {
          FileDescriptor descriptor = FileDescriptor.from(second.toFile());
          descriptors.add(descriptor);
          return descriptor.intValue() >= number; // The kernel gives the least one that is free.
        });

    port.write(new byte[100]);
    assertThat(second).isEmptyFile();
    assertThat(port.refused()).isEqualTo(1);
    for (FileDescriptor descriptor : descriptors) {
      descriptor.close();
    }
  }
}
