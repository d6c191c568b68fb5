package io.cascade.relay.control;

/** A response to a control request: a status and a body, which may be empty. */
record ControlResponse(int status, String contentType, String body) {

  static ControlResponse of(Object document) {
    return new ControlResponse(200, "application/json", Documents.write(document));
  }

  static ControlResponse text(String contentType, String text) {
    return new ControlResponse(200, contentType, text);
  }

  static ControlResponse nothing() {
    return new ControlResponse(204, "", "");
  }

  static ControlResponse problem(ControlProblem problem, String path) {
    return new ControlResponse(
        problem.status(), "application/problem+json", Documents.write(problem.document(path)));
  }
}
