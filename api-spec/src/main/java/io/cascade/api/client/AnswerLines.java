package io.cascade.api.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The lines of an answer that may be endless, such as a stream of events. A line has a maximum
 * length and the stream a maximum silence; the total is unlimited.
 */
final class AnswerLines implements AutoCloseable {
  private final AnswerBody body;
  private final Duration silence;
  private final int mostBytes;
  private final Queue<ByteBuffer> waiting = new ArrayDeque<>();

  /**
   * @param silence time without a byte after which the peer counts as dead
   * @param mostBytes maximum length of a line
   */
  AnswerLines(AnswerBody body, Duration silence, int mostBytes) {
    this.body = body;
    this.silence = silence;
    this.mostBytes = mostBytes;
  }

  /**
   * Waits for the next line and returns it without its end, LF or CRLF.
   *
   * @return null at the end of the stream; an unfinished line is discarded
   * @throws IncompleteAnswerException after a silence, or if a line is too long
   * @throws IOException if the connection broke
   */
  @Nullable String next() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    while (true) {
      ByteBuffer buffer = waiting.peek();
      if (buffer == null) {
        if (!more()) {
          return null;
        }
        continue;
      }
      while (buffer.hasRemaining()) {
        byte next = buffer.get();
        if (next == '\n') {
          String text = line.toString(StandardCharsets.UTF_8);
          return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
        }
        if (line.size() == mostBytes) {
          throw IncompleteAnswerException.longLine(mostBytes);
        }
        line.write(next);
      }
      waiting.remove();
    }
  }

  private boolean more() throws IOException {
    try {
      return waiting.addAll(body.next(silence.toNanos()));
    } catch (TimeoutException e) {
      throw IncompleteAnswerException.silent(silence);
    }
  }

  /** Closes the connection, unless the stream has ended. */
  @Override
  public void close() {
    body.close();
  }
}
