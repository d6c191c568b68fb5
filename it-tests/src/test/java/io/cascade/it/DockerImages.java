package io.cascade.it;

import com.github.dockerjava.api.exception.NotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.testcontainers.DockerClientFactory;

/** The real images, made of what was built last. */
final class DockerImages {
  static final String RELAY = "cascade/relay:tests";
  static final String ORCHESTRATOR = "cascade/orchestrator:tests";

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final List<String> BASES = List.of("cascade-base/java", "eclipse-temurin:25-jre");
  private static final List<String> DATABASES = List.of("cascade-base/postgres", "postgres:17");

  /** 1 to fail where there is no Docker, 0 to skip where there is. */
  private static final @Nullable String WANTED = System.getenv("CASCADE_DOCKER");

  private DockerImages() {}

  /**
   * Sees to it that the images are there. Where that cannot be, the test is skipped and says so,
   * unless CASCADE_DOCKER=1 wants it to run.
   */
  static void need() {
    if ("0".equals(WANTED)) {
      skip("CASCADE_DOCKER=0");
    }
    if (!DockerClientFactory.instance().isDockerAvailable()) {
      cannot("no Docker engine answers (apt install docker.io, then dockerd; .ci/run does both)");
    }
    if (present(BASES).isEmpty() || present(DATABASES).isEmpty()) {
      cannot(
          "there is no base image (run docker/base-images debian java postgres, or pull "
              + BASES.getLast()
              + " and "
              + DATABASES.getLast()
              + ")");
    }
    build(present(BASES).orElseThrow());
  }

  static String database() {
    return present(DATABASES).orElseThrow();
  }

  private static void cannot(String why) {
    if ("1".equals(WANTED)) {
      throw new AssertionError("CASCADE_DOCKER=1, but " + why);
    }
    skip(why);
  }

  private static void skip(String why) {
    System.out.println("SKIPPED: containers killed, cut off, paused and restarted: " + why);
    Assumptions.abort("SKIPPED: " + why);
  }

  private static Optional<String> present(List<String> images) {
    return images.stream().filter(DockerImages::isPresent).findFirst();
  }

  private static boolean isPresent(String image) {
    try {
      return DockerClientFactory.lazyClient().inspectImageCmd(image).exec() != null;
    } catch (NotFoundException e) {
      return false;
    }
  }

  private static void build(String base) {
    List<String> command = new ArrayList<>(List.of(ROOT.resolve("docker/build").toString()));
    command.add("--if-stale");
    ProcessBuilder building = new ProcessBuilder(command).redirectErrorStream(true);
    building.environment().put("BASE_IMAGE", base);
    building.environment().put("TAG", "tests");
    building.environment().put("CASCADE_NO_BUILD", "1");
    if (!Files.isDirectory(ROOT.resolve("dist/target/cascade/lib"))) {
      throw new AssertionError("nothing is built: run ./cascade build");
    }
    try {
      Process process = building.start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new AssertionError("docker/build failed:\n" + said);
      }
      System.out.print(said);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
