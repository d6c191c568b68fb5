package io.cascade.relay;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Handles SIGTERM and SIGINT: the first one begins the drain, the second one ends the process.
 *
 * <p>Signals are handled here instead of in a shutdown hook. While hooks run, the JVM ignores a
 * second signal and removes the log's handlers; a drain must be able to log. The class is used by
 * reflection, because javac warns about {@code sun.misc} and the warning cannot be disabled. If the
 * class is missing or not permitted ({@code -Xrs}), a shutdown hook is used.
 */
final class StopSignals {
  private static final Logger LOG = Logger.getLogger(StopSignals.class.getName());

  private final RelayNode node;
  private final AtomicBoolean stopping = new AtomicBoolean();

  private StopSignals(RelayNode node) {
    this.node = node;
  }

  static void install(RelayNode node) {
    StopSignals signals = new StopSignals(node);
    try {
      signals.handle("TERM", 128 + 15);
      signals.handle("INT", 128 + 2);
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.log(Level.FINE, "signals cannot be handled: {0}", e.toString());
      Runtime.getRuntime().addShutdownHook(new Thread(node::close, "drain"));
    }
  }

  private void handle(String signal, int exitCode) throws ReflectiveOperationException {
    Class<?> type = Class.forName("sun.misc.Signal");
    Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
    IntConsumer received = this::received;
    MethodHandle action =
        MethodHandles.insertArguments(
            MethodHandles.publicLookup()
                .findVirtual(
                    IntConsumer.class, "accept", MethodType.methodType(void.class, int.class))
                .bindTo(received),
            0,
            exitCode);
    Object handler =
        MethodHandleProxies.asInterfaceInstance(
            handlerType, MethodHandles.dropArguments(action, 0, type));
    type.getMethod("handle", type, handlerType)
        .invoke(null, type.getConstructor(String.class).newInstance(signal), handler);
  }

  private void received(int exitCode) {
    if (!stopping.compareAndSet(false, true)) {
      LOG.info("a second signal: ending at once");
      Runtime.getRuntime().halt(exitCode);
    }
    LOG.log(
        Level.INFO,
        "stopping: running streams have {0} s to end; a second signal ends at once",
        Long.toString(node.drain().toSeconds()));
    Thread.ofPlatform().name("drain").start(node::close);
  }
}
