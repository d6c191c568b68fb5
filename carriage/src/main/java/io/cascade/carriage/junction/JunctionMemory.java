package io.cascade.carriage.junction;

/**
 * The memory that a junction uses of what several share. On the junction's event loop, but for
 * {@link #bytes}.
 */
public interface JunctionMemory {
  /** Memory of which the windows' own limits are the only bound. */
  JunctionMemory UNSHARED =
      new JunctionMemory() {
        @Override
        public void set(long bytes) {}

        @Override
        public long allowance() {
          return Long.MAX_VALUE;
        }

        @Override
        public long bytes() {
          return 0;
        }
      };

  /** Uses so many bytes from now on. */
  void set(long bytes);

  /** Bytes that may be used beyond those used now; less than zero where it is too much already. */
  long allowance();

  /** Bytes that are used. From any thread. */
  long bytes();
}
