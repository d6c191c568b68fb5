package io.cascade.orchestrator.security;

import io.cascade.api.identity.KeyPins;
import io.cascade.api.orchestrator.EnrolmentRequest;
import io.cascade.api.orchestrator.InvitationList;
import io.cascade.api.orchestrator.InvitationRequest;
import io.cascade.api.orchestrator.NewApiKey;
import io.cascade.api.orchestrator.NewInvitation;
import io.cascade.orchestrator.contract.InvitationsApi;
import io.cascade.orchestrator.tls.ServerCertificate;
import io.cascade.orchestrator.tls.ServerUrls;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import java.util.UUID;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
class InvitationsController implements InvitationsApi {
  private final InvitationBook invitations;
  private final Optional<ServerCertificate> certificate;
  private final ServerUrls urls;
  private final HttpServletRequest request;

  /**
   * @param request proxy for the request that is being answered
   */
  InvitationsController(
      InvitationBook invitations,
      Optional<ServerCertificate> certificate,
      ServerUrls urls,
      HttpServletRequest request) {
    this.invitations = invitations;
    this.certificate = certificate;
    this.urls = urls;
    this.request = request;
  }

  @Override
  public ResponseEntity<InvitationList> listInvitations() {
    return ResponseEntity.ok(new InvitationList(invitations.all()));
  }

  /** The answer contains a secret, so caches must not store it. */
  @Override
  public ResponseEntity<NewInvitation> invite(InvitationRequest wanted) {
    InvitationBook.Made made = invitations.invite(Caller.current(), wanted);
    return ResponseEntity.status(HttpStatus.CREATED)
        .header("Cache-Control", "no-store")
        .body(
            new NewInvitation(
                made.invitation(),
                made.secret().text(),
                certificate.map(ServerCertificate::pins).map(KeyPins::toString).orElse(null),
                urls.urls(request.getLocalPort())));
  }

  @Override
  public ResponseEntity<Void> withdrawInvitation(UUID invitationId) {
    invitations.withdraw(Caller.current(), invitationId);
    return ResponseEntity.noContent().build();
  }

  /** The answer contains a key, so caches must not store it. */
  @Override
  public ResponseEntity<NewApiKey> enrol(EnrolmentRequest acceptance) {
    return ResponseEntity.status(HttpStatus.CREATED)
        .header("Cache-Control", "no-store")
        .body(invitations.enrol(Caller.current(), acceptance));
  }
}
