package io.cascade.it;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests a {@link DockerCluster}, one for all classes, which is gone when the last has run.
 * Where there is no Docker the tests are skipped, and say so.
 */
final class OnDocker implements BeforeAllCallback, ParameterResolver {
  private static final Namespace HERE = Namespace.create(OnDocker.class);

  @Override
  public void beforeAll(ExtensionContext context) {
    DockerImages.need();
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == DockerCluster.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(HERE)
        .computeIfAbsent("cluster", _ -> DockerCluster.start(), DockerCluster.class);
  }
}
