package io.cascade.orchestrator.splitters;

import io.cascade.api.orchestrator.SplitterInstructions;
import io.cascade.api.orchestrator.SplitterList;
import io.cascade.api.orchestrator.SplitterReport;
import io.cascade.orchestrator.contract.SplittersApi;
import io.cascade.orchestrator.relays.HeartbeatIntervals;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
class SplittersController implements SplittersApi {
  private final SplitterBook splitters;
  private final HeartbeatIntervals heartbeats;

  SplittersController(SplitterBook splitters, HeartbeatIntervals heartbeats) {
    this.splitters = splitters;
    this.heartbeats = heartbeats;
  }

  @Override
  public ResponseEntity<SplitterList> listSplitters() {
    return ResponseEntity.ok(new SplitterList(splitters.all()));
  }

  @Override
  public ResponseEntity<SplitterInstructions> reportSplitter(String name, SplitterReport report) {
    splitters.report(name, report);
    return ResponseEntity.ok(new SplitterInstructions(heartbeats.seconds()));
  }
}
