package io.cascade.orchestrator.links;

import io.cascade.api.orchestrator.LinkList;
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
}
