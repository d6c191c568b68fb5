package io.cascade.relay;

import io.cascade.api.relay.StreamOptions;

/** All that holds of a stream through three relays holds where their hops are encrypted. */
class StreamsThroughEncryptedChainTest extends StreamsThroughChainTest {
  @Override
  TestChain open(Way way, StreamOptions options) throws Exception {
    return TestChain.openEncrypted(3, way.transport(), way.pump(), address(), options);
  }
}
