package io.cascade.carriage.coded;

import io.cascade.coding.stream.CodedStreamLimits;

/**
 * Settings that all coded hops of a relay share.
 *
 * @param streams bounds of each session's streams
 * @param places bound of sessions
 * @param times times of changes between UDP and TCP
 * @param paths memory of the paths to peers
 */
public record CodedSettings(
    CodedStreamLimits streams, SessionPlaces places, CarrierTimes times, PathMemory paths) {
  /** Returns the settings of a process whose streams' credit grows within {@code streams}. */
  public static CodedSettings of(CodedStreamLimits streams) {
    return new CodedSettings(
        streams,
        new SessionPlaces(Runtime.getRuntime().maxMemory()),
        CarrierTimes.USUAL,
        new PathMemory());
  }
}
