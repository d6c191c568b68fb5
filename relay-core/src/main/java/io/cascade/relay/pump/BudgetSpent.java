package io.cascade.relay.pump;

/**
 * Tells Netty's read loop to stop although more could be read.
 *
 * <p>After a peer's FIN the native transports read on until the end whatever the receiver wants,
 * which would hold the whole kernel buffer in memory. The only way to stop them is to have no
 * buffer to give; the bytes stay in the kernel until there is room.
 */
public final class BudgetSpent extends RuntimeException {
  @SuppressWarnings("StaticAssignmentOfThrowable") // thrown often, carries nothing
  static final BudgetSpent INSTANCE = new BudgetSpent();

  private BudgetSpent() {
    super("the direction holds all that it may", null, false, false);
  }
}
