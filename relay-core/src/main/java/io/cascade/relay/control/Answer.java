package io.cascade.relay.control;

/** What is sent back: a status, and a body unless it is empty. */
record Answer(int status, String contentType, String body) {

  static Answer of(Object document) {
    return new Answer(200, "application/json", Documents.write(document));
  }

  static Answer text(String contentType, String text) {
    return new Answer(200, contentType, text);
  }

  static Answer nothing() {
    return new Answer(204, "", "");
  }

  static Answer problem(ControlProblem problem, String path) {
    return new Answer(
        problem.status(), "application/problem+json", Documents.write(problem.document(path)));
  }
}
