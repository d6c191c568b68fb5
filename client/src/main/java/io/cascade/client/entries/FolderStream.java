package io.cascade.client.entries;

import io.cascade.client.entries.AskedEntries.Answer;
import io.cascade.client.entries.Entry.Kind;
import io.cascade.command.Printable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The encoded stream of a walk. A file that cannot be opened is skipped and reported. A file that
 * changes while it is read is padded to the size in its header and marked behind it, so that the
 * receiver discards it. What the receiver has, where it was asked, is named and not sent.
 */
public final class FolderStream implements EntrySource {
  /** Most bytes of files that are compared in one call, so that the caller regains control. */
  private static final int MOST_COMPARED_BYTES = 4 << 20;

  private final EntryWalk walk;
  private final @Nullable AskedEntries asked;
  private final EntryListener listener;
  private final Deque<ByteBuffer> ready = new ArrayDeque<>();
  private final StandingRanges standing = new StandingRanges();
  private @Nullable Entry present;
  private @Nullable Comparison comparison;
  private @Nullable OpenFile file;
  private boolean ended;
  private volatile boolean waits;
  private volatile boolean closed;

  /** A file whose beginning is compared with what the receiver has. */
  private record Comparison(OpenFile file, Answer answer, Sha256Sum sum) {}

  /**
   * Sends all of a walk, whatever the receiver has.
   *
   * @param walk closed with this stream
   */
  public FolderStream(EntryWalk walk, EntryListener listener) {
    this.walk = walk;
    this.asked = null;
    this.listener = listener;
  }

  /**
   * Sends what the receiver does not have, according to its answers.
   *
   * @param walk closed with this stream
   * @param ahead another walk over the same tree; closed with this stream
   */
  public FolderStream(EntryWalk walk, EntryWalk ahead, EntryListener listener) {
    this.walk = walk;
    this.asked = new AskedEntries(ahead);
    this.listener = listener;
  }

  /** Entries that were not sent, or that the receiver discards, by name. */
  public Troubles unread() {
    return walk.unread();
  }

  /** Sockets, devices and named pipes, which are not sent. */
  public Troubles special() {
    return walk.special();
  }

  @Override
  public boolean isWaiting() {
    return waits;
  }

  @Override
  public synchronized void answered(long first, List<StandingEntry> answers) {
    if (asked != null) {
      asked.answered(first, answers);
    }
    waits = false;
  }

  @Override
  public synchronized void answersLost() {
    if (asked != null) {
      asked.lost();
    }
    waits = false;
  }

  @Override
  public synchronized int read(ByteBuffer into) throws IOException {
    if (closed) {
      throw new ClosedChannelException();
    }
    int start = into.position();
    int comparable = MOST_COMPARED_BYTES;
    boolean goesOn = true;
    while (goesOn && into.hasRemaining()) {
      ByteBuffer next = ready.peek();
      OpenFile open = file;
      Comparison compared = comparison;
      if (next != null) {
        int length = Math.min(next.remaining(), into.remaining());
        into.put(into.position(), next, next.position(), length);
        into.position(into.position() + length);
        next.position(next.position() + length);
        if (!next.hasRemaining()) {
          ready.remove();
        }
      } else if (open != null) {
        if (open.read(into)) {
          finish(open);
        }
      } else if (compared != null) {
        comparable -= compare(compared, comparable);
        goesOn = comparable > 0;
      } else {
        goesOn = !ended && advance();
      }
    }
    int bytes = into.position() - start;
    return bytes == 0 && ended && ready.isEmpty() ? -1 : bytes;
  }

  /**
   * @return whether the stream can produce bytes; otherwise the receiver has to answer first
   */
  private boolean advance() throws IOException {
    Entry entry = present == null ? walk.next() : present;
    present = null;
    if (entry == null) {
      ended = true;
      say(EntryEncoder.end());
      return true;
    }
    Answer answer = ask(entry);
    if (answer == null) {
      present = entry;
      waits = ready.isEmpty() && standing.isEmpty();
      tellStanding();
      return !ready.isEmpty();
    }
    switch (answer.standing().kind()) {
      case SAME -> standing.add(answer.number());
      case FILE, BEGINNING -> begin(entry, answer);
      case NOTHING, OTHER -> begin(entry, null);
    }
    if (standing.isFull()) {
      tellStanding();
    }
    return true;
  }

  private @Nullable Answer ask(Entry entry) {
    if (asked == null) {
      return new Answer(-1, StandingEntry.OTHER);
    }
    Answer answer = asked.of(entry);
    for (String list = asked.list(); list != null; list = asked.list()) {
      say(EntryEncoder.control(PaxFormat.AHEAD_KEY, list));
    }
    return answer;
  }

  /** Queues bytes behind pending reports of entries that the receiver has. */
  private void say(ByteBuffer bytes) {
    tellStanding();
    ready.add(bytes);
  }

  private void tellStanding() {
    if (!standing.isEmpty()) {
      ready.add(EntryEncoder.control(PaxFormat.STANDING_KEY, standing.take()));
    }
  }

  /**
   * @param answer for a file that the receiver has at least in part; null where it is to be sent
   */
  private void begin(Entry entry, @Nullable Answer answer) {
    if (entry.kind() != Kind.FILE || (entry.size() == 0 && answer == null)) {
      send(entry);
      return;
    }
    OpenFile open;
    try {
      open = new OpenFile(walk, entry);
    } catch (IOException e) {
      unread().add(entry.path(), "cannot be read: " + EntriesFailed.reason(e));
      return;
    }
    if (answer == null || answer.standing().bytes() > entry.size() || open.spoilt() != null) {
      send(open, 0);
    } else {
      comparison = new Comparison(open, answer, new Sha256Sum(answer.standing().bytes()));
    }
  }

  private int compare(Comparison one, int most) throws IOException {
    int read;
    try {
      read = one.sum.read(one.file.channel(), most);
    } catch (IOException e) {
      read = 0; // Sending the file will report the failure.
    }
    boolean isShort = read <= 0 && one.sum.left() > 0;
    if (!isShort && one.sum.left() > 0) {
      return read;
    }
    comparison = null;
    StandingEntry said = one.answer.standing();
    boolean isSame = !isShort && one.sum.hex().equals(said.sha256());
    if (isSame
        && said.kind() == StandingEntry.Kind.FILE
        && said.bytes() == one.file.entry().size()) {
      if (one.file.hasChanged()) {
        unread().add(one.file.entry().path(), OpenFile.CHANGED + "; fix: send it again");
      } else {
        standing.add(one.answer.number());
      }
      one.file.close();
    } else {
      send(one.file, isSame && said.kind() == StandingEntry.Kind.BEGINNING ? said.bytes() : 0);
    }
    return Math.max(1, read);
  }

  private void send(Entry entry) {
    listener.begins(Printable.line(entry.path()), entry.size());
    say(EntryEncoder.header(entry));
  }

  /**
   * @param from offset of the first byte that the receiver does not have
   */
  private void send(OpenFile open, long from) {
    Entry entry = open.entry();
    listener.begins(Printable.line(entry.path()), entry.size());
    DataMap map = open.begin(from);
    byte[] encoded = map == null ? new byte[0] : map.encode();
    long stored = encoded.length + (map == null ? entry.size() - from : map.bytes());
    open.pads(PaxFormat.padding(stored));
    say(EntryEncoder.header(entry, from, map, stored));
    if (encoded.length > 0) {
      ready.add(ByteBuffer.wrap(encoded));
    }
    file = open;
  }

  private void finish(OpenFile open) throws IOException {
    file = null;
    open.close();
    if (open.padding() > 0) {
      ready.add(ByteBuffer.allocate(open.padding()));
    }
    String spoilt = open.spoilt() == null && open.hasChanged() ? OpenFile.CHANGED : open.spoilt();
    if (spoilt != null) {
      ready.add(EntryEncoder.control(PaxFormat.SPOILT_KEY, spoilt));
      unread().add(open.entry().path(), spoilt + "; fix: send it again");
    }
  }

  @Override
  public boolean isOpen() {
    return !closed;
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    waits = false;
    OpenFile open = file;
    Comparison compared = comparison;
    file = null;
    comparison = null;
    try (walk;
        asked) {
      if (open != null) {
        open.close();
      }
      if (compared != null) {
        compared.file.close();
      }
    }
  }
}
