package io.cascade.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * Binds functions of the C library, for all modules. The first argument of each handle is memory
 * from {@link #newState}, where the call stores its error number. Keep handles in static final
 * fields: only then are calls compiled inline.
 */
@SuppressWarnings("restricted") // The launcher allows native access.
public final class CLibrary {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO = STATE.varHandle(PathElement.groupElement("errno"));
  private static final Linker.Option CAPTURE = Linker.Option.captureCallState("errno");

  private CLibrary() {}

  /** Whether this machine's library has a function. */
  public static boolean has(String name) {
    return LINKER.defaultLookup().find(name).isPresent();
  }

  /**
   * Binds a function.
   *
   * @throws java.util.NoSuchElementException if there is none of that name
   */
  public static MethodHandle bind(String name, FunctionDescriptor shape) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), shape, CAPTURE);
  }

  /**
   * Binds a function that takes any number of arguments.
   *
   * @param fixed number of arguments before those
   * @throws java.util.NoSuchElementException if there is none of that name
   */
  public static MethodHandle bindVariadic(String name, int fixed, FunctionDescriptor shape) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow(name),
        shape,
        CAPTURE,
        Linker.Option.firstVariadicArg(fixed));
  }

  /**
   * Allocates memory in which calls store their error number, one for each thread that makes calls.
   */
  public static MemorySegment newState() {
    return newState(Arena.ofAuto());
  }

  /** Allocates memory in which calls store their error number, for as long as the arena is open. */
  public static MemorySegment newState(Arena arena) {
    return arena.allocate(STATE);
  }

  /** Error number of the call that last failed. */
  public static int errno(MemorySegment state) {
    return (int) ERRNO.get(state, 0L);
  }
}
