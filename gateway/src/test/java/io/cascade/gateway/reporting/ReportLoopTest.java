package io.cascade.gateway.reporting;

import java.net.URI;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ReportLoopTest {
  @Test
  void reportsAgainWhateverAReportThrows() throws InterruptedException {
    CountDownLatch reports = new CountDownLatch(3);
    try (ReportLoop ignored =
        ReportLoop.start(
            URI.create("http://127.0.0.1:1"),
            () -> {
              reports.countDown();
              if (reports.getCount() == 2) {
                return 0.05;
              }
              throw new OutOfMemoryError("for a moment");
            },
            () -> {
              throw new IllegalStateException("a defect");
            })) {
      reports.await();
    }
  }
}
