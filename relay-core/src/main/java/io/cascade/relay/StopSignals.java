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
 * Handles SIGTERM and SIGINT: the first begins the drain, the second ends the process.
 *
 * <p>Signals are handled here and not in a shutdown hook because the JVM ignores a second signal
 * while hooks run, and takes away the log's handlers meanwhile; a drain must be able to log. The
 * class behind it is reached by reflection: javac warns of {@code sun.misc} and cannot be told not
 * to. Where it is missing or not allowed ({@code -Xrs}), a shutdown hook stands in.
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
