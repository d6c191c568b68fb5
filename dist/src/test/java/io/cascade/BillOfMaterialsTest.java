package io.cascade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The bill of materials of an archive that has less than the build, and a Java runtime. */
class BillOfMaterialsTest {
  private static final String BUILD =
      """
      {"metadata": {"component": {"bom-ref": "p", "name": "product", "version": "1",
         "purl": "pkg:maven/g/product@1?type=jar"}},
       "components": [
         {"bom-ref": "a", "name": "kept", "version": "2.0", "hashes": [{"alg": "MD5"}],
          "purl": "pkg:maven/g/kept@2.0?type=jar"},
         {"bom-ref": "b", "name": "kept", "version": "2.0",
          "purl": "pkg:maven/g/kept@2.0?classifier=x64&type=jar"},
         {"bom-ref": "c", "name": "kept", "version": "2.0",
          "purl": "pkg:maven/g/kept@2.0?classifier=arm64&type=jar"},
         {"bom-ref": "d", "name": "solver", "version": "3",
          "purl": "pkg:maven/g/solver@3?type=jar"}],
       "dependencies": [
         {"ref": "p", "dependsOn": ["a", "d"]},
         {"ref": "a", "dependsOn": ["b", "c"]},
         {"ref": "b", "dependsOn": []},
         {"ref": "c", "dependsOn": []},
         {"ref": "d", "dependsOn": ["a"]}]}
      """;

  /** SHA-256 of "kept". */
  private static final String DIGEST =
      "79f076abdd19a752db7267bfff2f9022161d120dea919fdaca2ffdfc24ca8c96";

  @TempDir Path folder;
  private Path jars;

  @BeforeEach
  void putJars() throws IOException {
    jars = Files.createDirectory(folder.resolve("lib"));
    Files.writeString(jars.resolve("product-1.jar"), "product");
    Files.writeString(jars.resolve("kept-2.0.jar"), "kept");
    Files.writeString(jars.resolve("kept-2.0-x64.jar"), "kept");
  }

  @Test
  void namesTheJarsOfTheArchiveWithTheirDigestsAndTheRuntime() throws IOException {
    JsonNode components = fitted().path("components");

    assertThat(components)
        .extracting(each -> each.path("name").asString())
        .containsExactly("kept", "kept", "openjdk");
    assertThat(components).extracting(each -> each.path("bom-ref").asString()).startsWith("a", "b");
    assertThat(components.path(0).path("hashes").toString())
        .isEqualTo("[{\"alg\":\"SHA-256\",\"content\":\"" + DIGEST + "\"}]");
    String version = String.valueOf(Runtime.version().feature());
    assertThat(components.path(2).path("version").asString()).startsWith(version);
    assertThat(components.path(2).path("cpe").asString())
        .startsWith("cpe:2.3:a:oracle:openjdk:" + version);
    assertThat(components.path(2).path("purl").asString())
        .startsWith("pkg:generic/openjdk@" + version)
        .doesNotContain("+");
  }

  @Test
  void nothingDependsOnWhatTheArchiveLeavesOut() throws IOException {
    JsonNode bill = fitted();

    String runtime = bill.path("components").path(2).path("bom-ref").asString();
    assertThat(bill.path("dependencies"))
        .isEqualTo(
            Json.lenient()
                .readTree(
                    """
                    [{"ref": "p", "dependsOn": ["a", "%1$s"]},
                     {"ref": "a", "dependsOn": ["b"]},
                     {"ref": "b", "dependsOn": []},
                     {"ref": "%1$s", "dependsOn": []}]
                    """
                        .formatted(runtime)));
  }

  @Test
  void aJarThatTheBuildDoesNotNameIsAnErrorThatSaysSo() throws IOException {
    Files.writeString(jars.resolve("other-1.jar"), "other");

    assertThatThrownBy(this::fitted)
        .isInstanceOf(IOException.class)
        .hasMessage(
            "the build's bill of materials does not name [other-1.jar] (fix: ./cascade build)");
  }

  private JsonNode fitted() throws IOException {
    Path build = Files.writeString(folder.resolve("sbom.json"), BUILD);
    Path written = folder.resolve("archive.cdx.json");
    BillOfMaterials.main(new String[] {build.toString(), jars.toString(), written.toString()});
    return Json.lenient().readTree(Files.readString(written));
  }
}
