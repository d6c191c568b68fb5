package io.cascade.relay.proxy;

/** The two paths that a stream to a destination may take. */
enum PathKind {
  DIRECT("directly"),
  CHAIN("through the chain");

  private final String words;

  PathKind(String words) {
    this.words = words;
  }

  String words() {
    return words;
  }

  PathKind other() {
    return this == DIRECT ? CHAIN : DIRECT;
  }
}
