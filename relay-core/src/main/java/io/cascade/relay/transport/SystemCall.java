package io.cascade.relay.transport;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The C library's functions as handles that keep {@code errno}: their first argument is where,
 * {@linkplain #newState memory} that calls on one thread may share.
 */
final class SystemCall {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
  private static final long ERRNO = STATE.byteOffset(PathElement.groupElement("errno"));

  private SystemCall() {}

  static boolean exists(String name) {
    return LINKER.defaultLookup().find(name).isPresent();
  }

  static MemorySegment find(String name) {
    return LINKER.defaultLookup().findOrThrow(name);
  }

  @SuppressWarnings("restricted") // the launcher allows native access
  static MethodHandle handle(String name, FunctionDescriptor shape, Linker.Option... options) {
    Linker.Option[] all = new Linker.Option[options.length + 1];
    all[0] = Linker.Option.captureCallState("errno");
    System.arraycopy(options, 0, all, 1, options.length);
    return LINKER.downcallHandle(find(name), shape, all);
  }

  static MemorySegment newState(Arena arena) {
    return arena.allocate(STATE);
  }

  /** Of the call that failed last. */
  static int errno(MemorySegment state) {
    return state.get(JAVA_INT, ERRNO);
  }
}
