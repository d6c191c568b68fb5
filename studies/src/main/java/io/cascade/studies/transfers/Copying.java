package io.cascade.studies.transfers;

/** One copy from the client's host to the server's, by one contender. */
interface Copying extends AutoCloseable {
  /** Ends of a copy, each of them a process. */
  enum End {
    SENDER,
    RECEIVER
  }

  /** Starts what waits for the sender, or for the receiver. Its time does not count. */
  default void prepare() throws Exception {}

  /** Starts the command whose time counts. */
  void start() throws Exception;

  /**
   * Waits for the end of the command.
   *
   * @throws io.cascade.studies.rivals.Mover.CutOff where that does not come in time
   * @throws io.cascade.command.CommandException where it failed
   */
  void awaitEnd(long deadlineNanos) throws Exception;

  /** Does what is left to do until what was sent stands where it was sent to; not counted. */
  default void finish() throws Exception {}

  /** Ends the process of one end by SIGKILL. */
  void kill(End end) throws Exception;

  /** Has the same command go on after the death of an end, and what else that needs. */
  void again(End killed) throws Exception;

  /** Ends what has not ended. */
  @Override
  void close() throws Exception;
}
