package io.cascade.relay.proxy;

/** How a stream to a destination may go. */
enum Way {
  DIRECT("directly"),
  CHAIN("through the chain");

  private final String words;

  Way(String words) {
    this.words = words;
  }

  String words() {
    return words;
  }

  Way other() {
    return this == DIRECT ? CHAIN : DIRECT;
  }
}
