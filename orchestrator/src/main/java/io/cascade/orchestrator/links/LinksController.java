package io.cascade.orchestrator.links;

import io.cascade.api.orchestrator.LinkHistory;
import io.cascade.api.orchestrator.LinkList;
import io.cascade.api.orchestrator.LinkSpan;
import io.cascade.orchestrator.contract.LinksApi;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
class LinksController implements LinksApi {
  private final LinkTable links;

  LinksController(LinkTable links) {
    this.links = links;
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
