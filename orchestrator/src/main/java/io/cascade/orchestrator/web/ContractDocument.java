package io.cascade.orchestrator.web;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Serves the contract of this server at {@code /openapi.yaml}. */
@RestController
class ContractDocument {

  @GetMapping("/openapi.yaml")
  ResponseEntity<Resource> contract() {
    return ResponseEntity.ok()
        .contentType(MediaType.parseMediaType("application/yaml"))
        .body(new ClassPathResource("openapi/orchestrator.yaml"));
  }
}
