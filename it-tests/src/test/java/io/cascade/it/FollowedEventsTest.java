package io.cascade.it;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Events that another program reads, as long as it wants. */
@Timeout(300)
class FollowedEventsTest {
  @TempDir Path folder;

  @Test
  void endWithTheirReaderAlthoughNothingMoreHappens() throws Exception {
    try (Verb orchestrator =
        Verb.start(
            folder,
            "orchestrator",
            "--listen",
            "127.0.0.1:0",
            "--state-dir",
            folder.resolve("state").toString())) {
      String url = orchestrator.awaitLine("cascade orchestrator ready at (\\S+)").group(1);
      try (Verb relay =
              Verb.start(
                  folder,
                  "relay",
                  "--name",
                  "r1",
                  "--orchestrator",
                  url,
                  "--hop-port",
                  "0",
                  "--control-port",
                  "0");
          Verb followed =
              Verb.start(
                  folder,
                  List.of("bash", "-c", "\"$0\" \"$@\" | head -1; echo \"ended ${PIPESTATUS[0]}\""),
                  "events",
                  "--follow",
                  "--after",
                  "0",
                  "--orchestrator",
                  url)) {
        relay.awaitLine("cascade relay r1 ready");

        followed.awaitLine("ended 141");
      }
    }
  }
}
