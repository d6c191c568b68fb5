package io.cascade.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceNoticeTest {
  private static final MethodHandle BIND =
      CLibrary.bind(
          "bind",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_INT));
  private static final MethodHandle RECV =
      CLibrary.bind(
          "recv",
          FunctionDescriptor.of(
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_INT));

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aNoticeIsADatagramToTheServiceManagersSocket(boolean isAbstract) throws Throwable {
    String address = isAbstract ? "@" + UUID.randomUUID() : folder.resolve("notify").toString();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = CLibrary.newState(arena);
      int socket = Kernel.socket(state, 1, 2, 0);
      try {
        byte[] path = address.replace('@', '\0').getBytes(StandardCharsets.UTF_8);
        MemorySegment at = arena.allocate(110, 2);
        at.set(ValueLayout.JAVA_SHORT, 0, (short) 1);
        MemorySegment.copy(path, 0, at, ValueLayout.JAVA_BYTE, 2, path.length);
        int length = 2 + path.length + (isAbstract ? 0 : 1);
        int bound = (int) BIND.invokeExact(state, socket, at.address(), length);
        assertThat(bound).isZero();

        ServiceNotice.send(address, ServiceNotice.READY);

        MemorySegment got = arena.allocate(64);
        long bytes = (long) RECV.invokeExact(state, socket, got.address(), 64L, 0);
        assertThat(
                new String(
                    got.asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8))
            .isEqualTo("READY=1");
      } finally {
        Kernel.close(socket);
      }
    }
  }

  @Test
  void aSocketThatIsNotThereIsNamed() {
    String nowhere = folder.resolve("nowhere").toString();

    assertThatThrownBy(() -> ServiceNotice.send(nowhere, ServiceNotice.READY))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(nowhere);
  }
}
