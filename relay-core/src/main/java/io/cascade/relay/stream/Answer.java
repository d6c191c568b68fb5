package io.cascade.relay.stream;

import io.netty.channel.Channel;

/**
 * What a stream's inlet is told of the way on before its first byte, where its protocol wants to
 * know: a proxy's client, or the first relay of a chain for one. Called on the stream's event loop,
 * one of both, once.
 */
public interface Answer {
  /** Nobody asked. */
  Answer NONE =
      new Answer() {
        @Override
        public void opened(Channel inlet) {}

        @Override
        public void failed(Channel inlet, CloseReason why) {
          inlet.close();
        }
      };

  /** There is a way on. What is written to {@code inlet} goes before the stream's first byte. */
  void opened(Channel inlet);

  /** The stream ended before there was a way on. Closing {@code inlet} is left to this. */
  void failed(Channel inlet, CloseReason why);
}
