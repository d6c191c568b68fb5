package io.cascade.kernel;

import io.cascade.command.CommandException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * A network namespace that one thread of this process keeps alive by running in it: when the
 * process ends, in any way, the namespace ends, too. Other processes enter it by {@link #path}.
 */
public final class NetworkNamespace implements AutoCloseable {
  private final LinkedBlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
  private final CompletableFuture<Integer> threadId = new CompletableFuture<>();
  private final Thread thread;
  private boolean kept = true; // used by the thread itself

  private NetworkNamespace(String name) {
    this.thread = Thread.ofPlatform().daemon().name("network-" + name).unstarted(this::live);
  }

  /**
   * @throws CommandException if the kernel does not allow it
   */
  public static NetworkNamespace make(String name) {
    NetworkNamespace made = new NetworkNamespace(name);
    made.thread.start();
    try {
      made.threadId.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof CommandException known ? known : new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException("interrupted", e);
    }
    return made;
  }

  private void live() {
    int answer = Kernel.unshareNetwork();
    if (answer < 0) {
      threadId.completeExceptionally(
          new CommandException(
              "cannot make a network namespace: "
                  + Kernel.explain(-answer)
                  + ". Run it as root, or inside: unshare -Urnm"));
      return;
    }
    threadId.complete(Kernel.threadId());
    try {
      while (kept) {
        tasks.take().run();
      }
    } catch (InterruptedException e) {
      // Closing also ends the thread.
    }
  }

  /** The kernel's file of this namespace, for nsenter and {@link #enter}. */
  public String path() {
    return "/proc/%d/task/%d/ns/net".formatted(ProcessHandle.current().pid(), threadId.join());
  }

  /** Number of the thread that runs in it, by which ip names a namespace. */
  public int threadId() {
    return threadId.join();
  }

  /**
   * Runs a task on the thread in the namespace; processes that it starts are in the namespace, too.
   */
  public <T extends @Nullable Object> T call(Callable<T> task) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    tasks.add(() -> {
      try {
        answer.complete(task.call());
      } catch (Exception e) {
        answer.completeExceptionally(e);
      }
    });
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException known
          ? known
          : new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException("interrupted", e);
    }
  }

  /**
   * Moves the calling thread into another process's network namespace, for the rest of the thread's
   * life.
   */
  public static void enter(String path) {
    int fd = Kernel.open(path, 0x80000);
    if (fd < 0) {
      throw new CommandException("cannot enter " + path + ": " + Kernel.explain(-fd));
    }
    int answer = Kernel.enterNetwork(fd);
    Kernel.close(fd);
    if (answer < 0) {
      throw new CommandException(
          "cannot enter " + path + ": " + Kernel.explain(-answer) + ". Run it as root");
    }
  }

  @Override
  public void close() {
    tasks.add(() -> kept = false);
  }
}
