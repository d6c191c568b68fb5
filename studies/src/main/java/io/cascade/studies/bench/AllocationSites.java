package io.cascade.studies.bench;

import java.io.IOException;
import java.lang.constant.ClassDesc;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/**
 * Allocation sites of a recorded process and their bytes. Each sample counts all bytes that its
 * thread has allocated since the previous sample.
 *
 * @param bytes of all sites
 */
record AllocationSites(int samples, long bytes, Map<Site, Long> bytesBySite) {
  static final String EVENT = "jdk.ObjectAllocationSample";

  private static final String OWN = "io.cascade.";
  private static final String RECORDER = "jdk.jfr.";
  private static final String RECORDERS_THREADS = "JFR ";

  /**
   * A class of objects and the method that allocates them.
   *
   * @param allocated the class
   * @param by the method that allocates
   * @param of the nearest method of this project in the stack trace; empty if that is {@code by},
   *     or if there is none
   */
  record Site(String allocated, String by, String of) {}

  /** The sites with the most bytes, the greatest first. */
  List<Map.Entry<Site, Long>> greatest(int most) {
    return bytesBySite.entrySet().stream()
        .sorted(
            Map.Entry.<Site, Long>comparingByValue()
                .reversed()
                .thenComparing(Map.Entry::getKey, Comparator.comparing(Site::toString)))
        .limit(most)
        .toList();
  }

  /** Reads the events of a recording between two times, without those of the recorder itself. */
  static AllocationSites read(Path recording, Instant from, Instant to) throws IOException {
    Map<Site, Long> bytesBySite = new HashMap<>();
    Set<Long> known = new HashSet<>();
    int samples = 0;
    long bytes = 0;
    List<RecordedEvent> events =
        RecordingFile.readAllEvents(recording).stream()
            .filter(event -> event.getEventType().getName().equals(EVENT))
            .sorted(Comparator.comparing(RecordedEvent::getStartTime))
            .toList();
    for (RecordedEvent event : events) {
      Instant at = event.getStartTime();
      // The first sample of a thread also counts all bytes that it had allocated before.
      boolean first = known.add(event.getThread() == null ? -1 : event.getThread().getId());
      if (first || at.isBefore(from) || at.isAfter(to) || isOfRecorder(event)) {
        continue;
      }
      long weight = event.getLong("weight");
      bytesBySite.merge(site(event), weight, Long::sum);
      samples++;
      bytes += weight;
    }
    return new AllocationSites(samples, bytes, bytesBySite);
  }

  private static boolean isOfRecorder(RecordedEvent event) {
    @Nullable RecordedThread thread = event.getThread();
    String name = thread == null ? null : thread.getJavaName();
    return (name != null && name.startsWith(RECORDERS_THREADS))
        || frames(event).stream().anyMatch(frame -> typeOf(frame).startsWith(RECORDER));
  }

  private static Site site(RecordedEvent event) {
    List<RecordedFrame> frames = frames(event);
    String by = frames.isEmpty() ? "?" : described(frames.getFirst());
    String of =
        frames.stream()
            .filter(frame -> typeOf(frame).startsWith(OWN))
            .findFirst()
            .map(AllocationSites::described)
            .orElse("");
    return new Site(simple(event.getClass("objectClass").getName()), by, of.equals(by) ? "" : of);
  }

  private static List<RecordedFrame> frames(RecordedEvent event) {
    return event.getStackTrace() == null
        ? List.of()
        : event.getStackTrace().getFrames().stream().filter(RecordedFrame::isJavaFrame).toList();
  }

  private static String typeOf(RecordedFrame frame) {
    return frame.getMethod().getType().getName();
  }

  private static String described(RecordedFrame frame) {
    RecordedMethod method = frame.getMethod();
    return simple(method.getType().getName()) + "." + method.getName();
  }

  /** Name of a type without its package, and without the address if the class is hidden. */
  static String simple(String type) {
    return type.startsWith("[")
        ? ClassDesc.ofDescriptor(type.replace('.', '/')).displayName()
        : type.substring(type.lastIndexOf('.') + 1).replaceFirst("/0x[0-9a-f]+", "");
  }
}
