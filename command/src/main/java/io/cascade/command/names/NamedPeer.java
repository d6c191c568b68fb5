package io.cascade.command.names;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Blocking connections to a name, by the first of its addresses that answers ({@link AddressRace}).
 *
 * @param addresses in the resolver's order
 */
public record NamedPeer(List<InetAddress> addresses, int port) {
  public NamedPeer {
    addresses = List.copyOf(addresses);
  }

  /**
   * Resolves a name. Blocks.
   *
   * @throws UnknownHostException where it has no address
   */
  public static NamedPeer resolve(String host, int port) throws UnknownHostException {
    return new NamedPeer(List.of(InetAddress.getAllByName(host)), port);
  }

  /**
   * Connects, without delaying small writes (TCP_NODELAY) and with keep-alive. Blocks.
   *
   * @param timeout of each address
   * @throws IOException of the last address that failed, where all did; {@link
   *     ClosedByInterruptException} where the thread was interrupted, whose interrupt flag stays
   *     set
   */
  public SocketChannel connect(Duration timeout) throws IOException {
    List<InetSocketAddress> inOrder =
        AddressRace.ordered(addresses).stream()
            .map(address -> new InetSocketAddress(address, port))
            .toList();
    CompletableFuture<SocketChannel> connecting =
        new AddressRace<>(inOrder, new Threads(timeout)).begin();
    try {
      return connecting.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IOException(String.valueOf(e.getCause()), e.getCause());
    } catch (InterruptedException e) {
      if (!connecting.cancel(false) && !connecting.isCompletedExceptionally()) {
        closeQuietly(connecting.resultNow());
      }
      Thread.currentThread().interrupt();
      ClosedByInterruptException interrupted = new ClosedByInterruptException();
      interrupted.initCause(e);
      throw interrupted;
    }
  }

  /**
   * Chooses the address that a connection reaches first, for uses other than {@link #connect}.
   * Blocks where there are several.
   *
   * @param timeout of each address
   * @return the first address where none is reached in time
   */
  public InetSocketAddress quickest(Duration timeout) {
    if (addresses.size() > 1) {
      try (SocketChannel reached = connect(timeout)) {
        return (InetSocketAddress) reached.getRemoteAddress();
      } catch (IOException e) {
        // Any of them is as informative.
      }
    }
    return new InetSocketAddress(addresses.getFirst(), port);
  }

  /** Each attempt blocks a thread of its own. */
  private record Threads(Duration timeout) implements AddressRace.Dialler<SocketChannel> {
    @Override
    public CompletableFuture<SocketChannel> dial(InetSocketAddress to) {
      CompletableFuture<SocketChannel> connected = new CompletableFuture<>();
      SocketChannel channel;
      try {
        channel = SocketChannel.open();
      } catch (IOException e) {
        connected.completeExceptionally(e);
        return connected;
      }
      connected.whenComplete((_, failure) -> {
        if (failure != null) {
          closeQuietly(channel);
        }
      });
      Thread.ofVirtual().name("connect " + to).start(() -> connect(channel, to, connected));
      return connected;
    }

    private void connect(
        SocketChannel channel, InetSocketAddress to, CompletableFuture<SocketChannel> connected) {
      try {
        // Before it connects: a peer may reset it at once.
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        channel.socket().connect(to, Math.toIntExact(timeout.toMillis()));
        connected.complete(channel);
      } catch (IOException | RuntimeException e) {
        connected.completeExceptionally(e);
      }
    }

    @Override
    public void later(Duration time, Runnable then) {
      CompletableFuture.delayedExecutor(time.toNanos(), TimeUnit.NANOSECONDS).execute(then);
    }

    @Override
    public void discard(SocketChannel connection) {
      closeQuietly(connection);
    }
  }

  private static void closeQuietly(SocketChannel connection) {
    try {
      connection.close();
    } catch (IOException e) {
      // It never carried data.
    }
  }
}
