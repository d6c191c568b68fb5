package io.cascade.carriage.junction;

/**
 * The part of a shared memory that a junction uses. Called on the junction's event loop, except
 * {@link #bytes}.
 */
public interface JunctionMemory {
  /** Memory that is bounded only by the limits of the windows. */
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

  /** Sets the number of bytes in use. */
  void set(long bytes);

  /** Bytes that may be used beyond those in use; negative if too many are. */
  long allowance();

  /** Bytes in use. May be called from any thread. */
  long bytes();
}
