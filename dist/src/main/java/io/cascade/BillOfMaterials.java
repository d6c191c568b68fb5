package io.cascade;

import io.cascade.api.Json;
import io.cascade.command.Digests;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes the bill of materials (CycloneDX) of an archive: the entries of the build's bill for the
 * jars in the archive, and the Java runtime. Digests are those of the archive's jars, which {@link
 * StoredJar} rewrote.
 */
final class BillOfMaterials {
  private static final Pattern CLASSIFIER = Pattern.compile("[?&]classifier=([^&#]+)");

  private BillOfMaterials() {}

  /**
   * Runs on the archive's own runtime, which the bill names.
   *
   * @param arguments the build's bill, the folder of the archive's jars, and the file to write
   */
  public static void main(String[] arguments) throws IOException {
    ObjectNode bill = (ObjectNode) Json.lenient().readTree(Files.readString(Path.of(arguments[0])));
    fit(bill, Path.of(arguments[1]));
    Files.writeString(Path.of(arguments[2]), bill.toPrettyString() + "\n");
  }

  /**
   * Changes the bill of a build to that of an archive with the jars of this folder and the runtime
   * on which this runs.
   *
   * @throws IOException also where the folder has a jar that the bill does not name
   */
  static void fit(ObjectNode bill, Path jars) throws IOException {
    Set<String> unnamed = names(jars);
    ObjectNode product = (ObjectNode) bill.path("metadata").path("component");
    ArrayNode before = (ArrayNode) bill.path("components");
    ArrayNode components = bill.putArray("components");
    Set<String> references = new HashSet<>(Set.of(reference(product)));
    putDigest(product, jars);
    unnamed.remove(jar(product));
    for (JsonNode each : before) {
      if (unnamed.remove(jar(each))) {
        putDigest((ObjectNode) each, jars);
        references.add(reference(each));
        components.add(each);
      }
    }
    if (!unnamed.isEmpty()) {
      throw new IOException(
          "the build's bill of materials does not name " + unnamed + " (fix: ./cascade build)");
    }
    ObjectNode runtime = runtime();
    components.add(runtime);
    putDependencies(bill, references, reference(product), reference(runtime));
  }

  private static Set<String> names(Path jars) throws IOException {
    Set<String> names = new TreeSet<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(jars, "*.jar")) {
      files.forEach(file -> names.add(String.valueOf(file.getFileName())));
    }
    return names;
  }

  /** Name of a component's jar as copied by Maven. */
  private static String jar(JsonNode component) {
    Matcher classifier = CLASSIFIER.matcher(component.path("purl").asString());
    return component.path("name").asString()
        + "-"
        + component.path("version").asString()
        + (classifier.find() ? "-" + classifier.group(1) : "")
        + ".jar";
  }

  private static String reference(JsonNode component) {
    return component.path("bom-ref").asString();
  }

  private static void putDigest(ObjectNode component, Path jars) throws IOException {
    byte[] content = Files.readAllBytes(jars.resolve(jar(component)));
    String digest = HexFormat.of().formatHex(Digests.sha256().digest(content));
    component.putArray("hashes").addObject().put("alg", "SHA-256").put("content", digest);
  }

  /** The vendor of the CPE is the one under which NVD lists OpenJDK, whoever built it. */
  private static ObjectNode runtime() {
    String version = Runtime.version().toString(); // Such as 25.0.3+9-LTS.
    String release = version.replaceFirst("[+-].*", "");
    String purl = "pkg:generic/openjdk@" + version.replace("+", "%2B");
    ObjectNode runtime = Json.lenient().createObjectNode();
    runtime
        .put("type", "platform")
        .put("bom-ref", purl)
        .put("publisher", System.getProperty("java.vendor", "unknown"))
        .put("name", "openjdk")
        .put("version", version)
        .put("description", "Java runtime, trimmed to the modules that the jars use")
        .putArray("licenses")
        .addObject()
        .put("expression", "GPL-2.0-only WITH Classpath-exception-2.0");
    return runtime
        .put("cpe", "cpe:2.3:a:oracle:openjdk:" + release + ":*:*:*:*:*:*:*")
        .put("purl", purl);
  }

  /** Writes the dependencies without components that are not in the archive. */
  private static void putDependencies(
      ObjectNode bill, Set<String> references, String product, String runtime) {
    JsonNode before = bill.path("dependencies");
    ArrayNode dependencies = bill.putArray("dependencies");
    for (JsonNode each : before) {
      String reference = each.path("ref").asString();
      if (references.contains(reference)) {
        ArrayNode on = dependencies.addObject().put("ref", reference).putArray("dependsOn");
        for (JsonNode other : each.path("dependsOn")) {
          if (references.contains(other.asString())) {
            on.add(other);
          }
        }
        if (reference.equals(product)) {
          on.add(runtime);
        }
      }
    }
    dependencies.addObject().put("ref", runtime).putArray("dependsOn");
  }
}
