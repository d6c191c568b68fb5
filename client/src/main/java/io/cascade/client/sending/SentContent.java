package io.cascade.client.sending;

import io.cascade.client.transfer.FileSender;
import io.cascade.client.transfer.FileTransfer;
import io.cascade.client.transfer.Original;
import io.cascade.client.transfer.RawSender;
import io.cascade.client.transfer.Sent;
import io.cascade.client.transfer.TransferListener;
import io.cascade.client.transfer.connection.ByteConnection;
import io.cascade.client.transfer.connection.RateLimit;
import io.cascade.client.transfer.connection.TcpConnection;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.wire.TransferHeader;
import io.cascade.client.ways.Recipient;
import io.cascade.command.CommandException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Content to send: a file, the standard input, or folders and files as entries. */
public final class SentContent implements AutoCloseable {
  private final TransferHeader header;
  private final ReadableByteChannel channel;
  private final Original original;
  private final Manners manners;

  private SentContent(
      TransferHeader header, ReadableByteChannel channel, Original original, Manners manners) {
    this.header = manners.to.introduce(header);
    this.channel = channel;
    this.original = original;
    this.manners = manners;
  }

  /**
   * Time-outs, rate limit, listener and introduction of a transfer.
   *
   * @param stall time in which no byte is moved after which a connection fails
   * @param retry time in which no byte arrives after which the transfer fails; null for {@code
   *     stall}, and a first connection that cannot be made then ends the transfer
   * @param hears gives the transfer its listener
   * @param limit of what is written over all ways together
   * @param to the receiver to which the sender introduces itself
   */
  public record Manners(
      Duration stall,
      @Nullable Duration retry,
      Function<TransferHeader, TransferListener> hears,
      RateLimit limit,
      Recipient to) {
    /** Returns these with another time in which nothing may arrive; null for {@code stall}. */
    public Manners retryingFor(@Nullable Duration longest) {
      return new Manners(stall, longest, hears, limit, to);
    }

    private TransferListener listener(TransferHeader header) {
      return hears.apply(header);
    }
  }

  /**
   * Opens a file, or the standard input.
   *
   * @param name what the receiver calls it; null for its own name
   * @throws CommandException where it cannot be read, or its name is not allowed
   */
  public static SentContent ofFile(String file, @Nullable String name, Manners manners)
      throws IOException {
    ReadableByteChannel channel = SentFile.open(file);
    try {
      Original original = SentFile.original(file);
      return new SentContent(
          SentFile.header(file, name, channel, original), channel, original, manners);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** Makes content of folders and files as entries. */
  public static SentContent ofEntries(SentEntries entries, Manners manners) {
    return new SentContent(entries.header(), entries, Original.NONE, manners);
  }

  /** Bytes outside of holes, for plans; null where the content is empty or of unknown size. */
  public @Nullable Long bytes() {
    return header.sizeKnown() && header.size() > 0 ? Math.max(1, header.dataBytes()) : null;
  }

  /** Whether it is a file that can be read at any offset. */
  public boolean isRegularFile() {
    return header.sizeKnown() && channel instanceof FileChannel;
  }

  /** Whether several ways may share it, the first of which begins before there is a plan. */
  public boolean canBegin() {
    return channel instanceof SentEntries || (bytes() != null && channel instanceof FileChannel);
  }

  /** Whether several connections may share it. */
  public boolean canBeShared() {
    return channel instanceof FileChannel || channel instanceof SentEntries;
  }

  /** Whether everything requested could be read. */
  public boolean isWhole() {
    return !(channel instanceof SentEntries entries) || entries.isWhole();
  }

  /** Whether it may be sent over one connection after the other. */
  public boolean mayChangeConnections() {
    return isRegularFile() || channel instanceof SentEntries;
  }

  /** Creates a transfer over several ways, which outlives each of them where it is of a file. */
  public FileTransfer lasting() throws TransferFailed {
    FileTransfer transfer =
        channel instanceof FileChannel
            ? new FileTransfer(
                header.asResumable(), channel, original, manners.stall, manners.listener(header))
            : once();
    Duration retry = manners.retry;
    return (retry == null ? transfer : transfer.retryingFor(retry)).limitedTo(manners.limit);
  }

  /**
   * Creates a transfer of content that can be read once: what has not arrived is kept, within
   * bounds.
   */
  public FileTransfer once() throws TransferFailed {
    return FileTransfer.ofStream(header, channel, manners.stall, manners.listener(header))
        .limitedTo(manners.limit);
  }

  /** Sends it over one connection. */
  public Sent send(ByteConnection connection) throws TransferFailed {
    return new FileSender(connection, manners.stall, manners.listener(header), manners.limit)
        .send(header, channel, original);
  }

  /** Sends its bytes without the transfer protocol. */
  public Sent sendRaw(TcpConnection connection) throws TransferFailed {
    return new RawSender(connection, manners.stall, manners.listener(header), manners.limit)
        .send(header, channel);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
