package io.cascade.studies.bench;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Streams that carried one message in each direction and are idle since. */
final class IdleStreams implements AutoCloseable {
  private final int port;
  private final List<TcpSocket> sockets = new ArrayList<>();

  IdleStreams(int port) {
    this.port = port;
  }

  /** Opens streams until there are {@code streams}. */
  void growTo(int streams) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment question = arena.allocate(Message.BYTES, 8);
      MemorySegment answer = arena.allocate(Message.BYTES, 8);
      while (sockets.size() < streams) {
        TcpSocket socket = TcpSocket.connect(port);
        sockets.add(socket);
        Message.write(question, Message.Purpose.REST, sockets.size());
        socket.writeFully(question);
        socket.readFully(answer);
        if (question.mismatch(answer) >= 0) {
          throw new IOException("stream " + sockets.size() + " answered what was not sent");
        }
      }
    }
  }

  @Override
  public void close() {
    sockets.forEach(TcpSocket::reset);
    sockets.clear();
  }
}
