package io.cascade.orchestrator.links;

import io.cascade.api.orchestrator.ClientTest;
import io.cascade.api.orchestrator.ClientTestRequest;
import io.cascade.api.orchestrator.LinkHistory;
import io.cascade.api.orchestrator.LinkList;
import io.cascade.api.orchestrator.LinkSpan;
import io.cascade.api.orchestrator.LinkTest;
import io.cascade.api.orchestrator.LinkTestRequest;
import io.cascade.api.orchestrator.LinkTrain;
import io.cascade.api.orchestrator.LinkTrainRequest;
import io.cascade.api.relay.ThroughputReport;
import io.cascade.orchestrator.contract.LinksApi;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
class LinksController implements LinksApi {
  private final LinkTable links;
  private final ThroughputTests tests;
  private final PacketTrains trains;

  LinksController(LinkTable links, ThroughputTests tests, PacketTrains trains) {
    this.links = links;
    this.tests = tests;
    this.trains = trains;
  }

  @Override
  public ResponseEntity<LinkTrain> sendTrain(String from, String to, LinkTrainRequest request) {
    return ResponseEntity.ok(trains.run(from, to, request));
  }

  @Override
  public ResponseEntity<ClientTest> openClientTest(String name, ClientTestRequest request) {
    return ResponseEntity.status(HttpStatus.CREATED).body(tests.fromClient(name, request));
  }

  @Override
  public ResponseEntity<LinkTest> testLink(String from, String to, LinkTestRequest request) {
    ThroughputReport report = tests.run(from, to, request);
    MeasuredLink link =
        links
            .find(from, to)
            .orElseThrow(() -> new Refusal(ProblemKind.UNKNOWN_LINK, from + " to " + to));
    return ResponseEntity.ok(
        LinkTest.builder()
            .from(from)
            .to(to)
            .bytes(report.bytes())
            .seconds(report.seconds())
            .bitsPerSecond(report.bitsPerSecond())
            .steadyBitsPerSecond(report.steadyBitsPerSecond())
            .sentSegments(report.sentSegments())
            .retransmittedSegments(report.retransmittedSegments())
            .minRttMillis(report.minRttMillis())
            .loadedRttMillis(report.loadedRttMillis())
            .congestionControl(report.congestionControl())
            .limitedBy(report.limitedBy().name())
            .endedBy(report.endedBy().name())
            .link(link.document())
            .build());
  }

  @Override
  public ResponseEntity<LinkList> listLinks() {
    return ResponseEntity.ok(
        new LinkList(links.all().stream().map(MeasuredLink::document).toList()));
  }

  @Override
  public ResponseEntity<LinkHistory> linkHistory(String from, String to) {
    return ResponseEntity.ok(
        new LinkHistory(
            from,
            to,
            links.history(from, to).stream()
                .map(span ->
                    new LinkSpan(
                        span.start(),
                        span.sent(),
                        span.lost(),
                        span.minRttMillis(),
                        span.smoothedRttMillis()))
                .toList()));
  }
}
