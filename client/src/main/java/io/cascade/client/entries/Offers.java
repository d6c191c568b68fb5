package io.cascade.client.entries;

import io.cascade.client.entries.Entry.Kind;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;

/**
 * Asks the receiver which entries it does not have, so far ahead of those that are sent that the
 * round trip costs its time once. A second walk looks ahead; what it holds is bounded. What appears
 * or changes between the two walks is sent.
 */
public final class Offers implements Selection, AutoCloseable {
  /**
   * Manifests without an answer: 8,192 entries, which at a round trip of 160 ms are some 50,000
   * entries a second.
   */
  static final int MOST_OPEN = 32;

  /** The way to the receiver and back. */
  public interface Wire {
    /** Sends a manifest, without waiting for its answer. */
    void offer(Manifest manifest) throws IOException;

    /** Waits for the next answer. Answers come in the order of the manifests. */
    Wanted await() throws IOException;
  }

  private final EntryWalk ahead;
  private final Wire wire;
  private final Deque<Manifest> open = new ArrayDeque<>();
  private List<Entry> entries = List.of();
  private BitSet wanted = new BitSet();
  private int next;
  private long offered;
  private boolean allOffered;

  /**
   * @param ahead a walk of the same sources, at its beginning; closed with this
   */
  public Offers(EntryWalk ahead, Wire wire) {
    this.ahead = ahead;
    this.wire = wire;
  }

  @Override
  public boolean wants(Entry entry) throws IOException {
    while (true) {
      if (next == entries.size() && !nextAnswer()) {
        return true; // It was not there when the other walk ended.
      }
      Entry head = entries.get(next);
      int order = Names.comparePaths(head.path(), entry.path());
      if (order > 0) {
        return true; // It was not there when the other walk passed.
      }
      boolean isWanted = wanted.get(next++);
      if (order == 0) {
        return isWanted || !head.looksLike(entry);
      }
    }
  }

  private boolean nextAnswer() throws IOException {
    offerMore();
    Manifest asked = open.poll();
    if (asked == null) {
      return false;
    }
    Wanted answer = wire.await();
    if (answer.number() != asked.number() || answer.entries().length() > asked.entries().size()) {
      throw new EntriesFailed(
          "the receiver answers what it was not asked; fix: use the same version at both ends");
    }
    entries = asked.entries();
    wanted = answer.entries();
    next = 0;
    return true;
  }

  private void offerMore() throws IOException {
    while (!allOffered && open.size() < MOST_OPEN) {
      List<Entry> batch = new ArrayList<>();
      int chars = 0;
      while (batch.size() < Manifest.MOST_ENTRIES && chars < Manifest.MOST_CHARS) {
        Entry entry = ahead.next();
        if (entry == null) {
          allOffered = true;
          break;
        }
        if (entry.kind() != Kind.FOLDER) {
          batch.add(entry);
          chars += entry.path().length() + entry.target().length();
        }
      }
      if (!batch.isEmpty()) {
        Manifest manifest = new Manifest(offered++, batch);
        wire.offer(manifest);
        open.add(manifest);
      }
    }
  }

  @Override
  public void close() {
    ahead.close();
  }
}
