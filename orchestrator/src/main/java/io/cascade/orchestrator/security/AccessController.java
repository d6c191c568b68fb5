package io.cascade.orchestrator.security;

import io.cascade.api.orchestrator.ApiKeyList;
import io.cascade.api.orchestrator.ApiKeyRequest;
import io.cascade.api.orchestrator.NewApiKey;
import io.cascade.orchestrator.contract.AccessApi;
import java.util.UUID;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
class AccessController implements AccessApi {
  private final KeyBook keys;

  AccessController(KeyBook keys) {
    this.keys = keys;
  }

  @Override
  public ResponseEntity<io.cascade.api.orchestrator.Caller> whoAmI() {
    Caller caller = Caller.current();
    return ResponseEntity.ok(
        new io.cascade.api.orchestrator.Caller(
            caller.name(),
            caller.role(),
            caller.scopes().stream().sorted().toList(),
            caller.expiresAt()));
  }

  @Override
  public ResponseEntity<ApiKeyList> listKeys() {
    return ResponseEntity.ok(new ApiKeyList(keys.all()));
  }

  /** The answer contains the key, so caches must not store it. */
  @Override
  public ResponseEntity<NewApiKey> createKey(ApiKeyRequest request) {
    return ResponseEntity.status(HttpStatus.CREATED)
        .header("Cache-Control", "no-store")
        .body(keys.create(Caller.current(), request));
  }

  @Override
  public ResponseEntity<Void> revokeKey(UUID keyId) {
    keys.revoke(Caller.current(), keyId);
    return ResponseEntity.noContent().build();
  }
}
