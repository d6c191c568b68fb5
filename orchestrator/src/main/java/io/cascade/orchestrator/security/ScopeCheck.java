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
 * Lets callers do what their scopes allow. Runs when the handler method is known and before
 * anything of the body is read: paths are matched once, so that no spelling of a path can be
 * checked as one operation and handled as another.
 */
@Component
public class ScopeCheck implements HandlerInterceptor, WebMvcConfigurer {
  private static final String API = "/api/";

  private final Scopes scopes;

  /** Quotas by operation. */
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
    // Spring answers HEAD with the handler of GET.
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

  /**
   * Takes one use of the operation's quota. The shared credential has no quota, since relays use
   * it, too.
   */
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
              + " calls a minute are the most for "
              + caller.name()
              + "; try again in "
              + wait
              + " s");
    }
  }

  /**
   * Checks a request that reaches no handler of Spring.
   *
   * @param path path as in the contract, below the server's prefix
   * @param name value of the path's parameter
   * @throws Refusal if the caller may not
   */
  public void check(String method, String path, Caller caller, String name) {
    check(Objects.requireNonNull(scopes.operation(method, path)), caller, name);
  }

  private static void check(Scopes.Operation operation, Caller caller, @Nullable String name) {
    if (!operation.allows(caller.scopes())) {
      throw new Refusal(
          ProblemKind.FORBIDDEN,
          operation.id()
              + ": the role "
              + caller.role()
              + " of "
              + caller.name()
              + " may not do this");
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
