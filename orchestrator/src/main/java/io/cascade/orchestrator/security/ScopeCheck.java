package io.cascade.orchestrator.security;

import io.cascade.orchestrator.audit.AuditedCall;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.time.Timekeeper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Lets callers do what their scopes allow. Runs when it is known which method will answer and
 * before anything of the body is read: paths are matched once, so that no other spelling of a path
 * is judged otherwise than it is answered.
 */
@Component
public class ScopeCheck implements HandlerInterceptor, WebMvcConfigurer {
  private static final String API = "/api/";

  private final Scopes scopes;

  /** By operation. */
  private final Map<String, Allowances> quotas = new HashMap<>();

  ScopeCheck(Scopes scopes, Timekeeper time) {
    this.scopes = scopes;
    for (Scopes.Operation operation : scopes.operations()) {
      int often = operation.perMinute();
      if (often > 0) {
        quotas.put(
            operation.id(), new Allowances(time, often, Duration.ofMinutes(1).dividedBy(often)));
      }
    }
  }

  @Override
  public void addInterceptors(InterceptorRegistry registry) {
    registry.addInterceptor(this);
  }

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    String path =
        String.valueOf(request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE));
    if (!path.startsWith(API) || request.getMethod().equals("OPTIONS")) {
      return true;
    }
    // Spring answers HEAD by what answers GET.
    String method = request.getMethod().equals("HEAD") ? "GET" : request.getMethod();
    Scopes.Operation operation = scopes.operation(method, path);
    if (operation == null) {
      throw new Refusal(ProblemKind.FORBIDDEN, method + " " + path + ": not in the contract");
    }
    if (!operation.isPublic()) {
      Caller caller = Caller.current();
      String object = object(request);
      if (operation.audited()) {
        AuditedCall.current().get().isAbout(operation.id(), object);
      }
      try {
        check(operation, caller, variable(request, "name"));
      } catch (Refusal refusal) {
        AuditedCall.current().get().isAbout(operation.id(), object);
        throw refusal;
      }
      spend(operation, caller, response);
    }
    return true;
  }

  /** Whoever has the token is all that have it, relays included, and has no quota. */
  private void spend(Scopes.Operation operation, Caller caller, HttpServletResponse response) {
    Allowances quota = quotas.get(operation.id());
    if (quota == null || caller.owner() == null) {
      return;
    }
    long wait = quota.take(caller.id());
    if (wait > 0) {
      response.setHeader(HttpHeaders.RETRY_AFTER, String.valueOf(wait));
      throw new Refusal(
          ProblemKind.TOO_MANY_CALLS,
          operation.id()
              + ": "
              + operation.perMinute()
              + " a minute are for "
              + caller.name()
              + "; try again in "
              + wait
              + " s");
    }
  }

  /**
   * Checks a request that comes to no handler of Spring's.
   *
   * @param path as the contract has it, behind the server's prefix
   * @param name that the path has in its place
   * @throws Refusal where the caller may not
   */
  public void check(String method, String path, Caller caller, String name) {
    check(Objects.requireNonNull(scopes.operation(method, path)), caller, name);
  }

  private static void check(Scopes.Operation operation, Caller caller, @Nullable String name) {
    if (!operation.allows(caller.scopes())) {
      throw new Refusal(
          ProblemKind.FORBIDDEN,
          operation.id() + ": the role " + caller.role() + " of " + caller.name() + " may not");
    }
    if (name != null) {
      caller.mustSpeakFor(name);
    }
  }

  /** Names and ids in the path. */
  private static @Nullable String object(HttpServletRequest request) {
    return request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE)
                instanceof Map<?, ?> variables
            && !variables.isEmpty()
        ? variables.values().stream().map(String::valueOf).collect(Collectors.joining("/"))
        : null;
  }

  private static @Nullable String variable(HttpServletRequest request, String name) {
    return request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE)
                instanceof Map<?, ?> variables
            && variables.get(name) instanceof String value
        ? value
        : null;
  }
}
