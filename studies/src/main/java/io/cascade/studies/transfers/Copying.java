package io.cascade.studies.transfers;

/** One copy from the client's host to the server's, by one contender. */
interface Copying extends AutoCloseable {
  /** Ends of a copy, each of them a process. */
  enum End {
    SENDER,
    RECEIVER
  }

  /** Starts the process that waits for the other one. Its time does not count. */
  default void prepare() throws Exception {}

  /** Starts the command whose time counts. */
  void start() throws Exception;

  /**
   * Waits for the end of the command.
   *
   * @throws io.cascade.studies.rivals.Mover.CutOff if it does not end in time
   * @throws io.cascade.studies.rivals.Mover.CutOff if it does not end in time
   */
  void awaitEnd(long deadlineNanos) throws Exception;

  /** Finishes the copy after the command's end; the time does not count. */
  default void finish() throws Exception {}

  /** Kills the process of one end by SIGKILL. */
  void kill(End end) throws Exception;

  /** Runs the same command again after the death of an end, with everything that it requires. */
  void again(End killed) throws Exception;

  /** Ends all processes that still run. */
  @Override
  void close() throws Exception;
}
