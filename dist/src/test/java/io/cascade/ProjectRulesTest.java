package io.cascade;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.lang.foreign.Linker;
import java.net.HttpURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rules that hold for every module. */
class ProjectRulesTest {
  private static final Path ROOT = Path.of("..");
  private static final int MOST_LINES = 500;

  /** Where texts that this project made itself are put into other words for people. */
  private static final Set<String> OWN_TEXTS = Set.of("ShapeText.java");

  private static final JavaClasses PRODUCTION =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.cascade");

  /**
   * Relay and orchestrator have rules of their own, which allow less. Verbs say how long ago
   * something was; results of experiments say when they were measured.
   */
  @Test
  void noDurationIsMeasuredByTheTimeOfDay() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "io.cascade.relay..",
            "io.cascade.orchestrator..",
            "io.cascade.client.verbs..",
            "io.cascade.client.terminal..")
        .and()
        .doNotHaveFullyQualifiedName("io.cascade.lab.LabFolder") // the age of a file
        .and()
        .doNotHaveFullyQualifiedName(
            "io.cascade.client.ways.KnownPaths") // what another process wrote
        .and()
        .doNotHaveFullyQualifiedName("io.cascade.studies.experiment.Workbench")
        .and()
        .doNotHaveFullyQualifiedName("io.cascade.studies.measured.PathTrial")
        .and() // compares with when a relay was last seen, as the orchestrator says it
        .doNotHaveFullyQualifiedName("io.cascade.studies.crowd.ControlPlane")
        .and() // plays a relay
        .doNotHaveFullyQualifiedName("io.cascade.studies.crowd.SimulatedParts")
        .and() // asks a recording of the virtual machine for a part of it
        .doNotHaveFullyQualifiedName("io.cascade.studies.bench.AllocationProfiling")
        .should()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethodWhere(target(owner(assignableTo(Clock.class))))
        .orShould()
        .callMethodWhere(target(owner(assignableTo(InstantSource.class))))
        .check(PRODUCTION);
  }

  /** Programs that use the library have no command line of ours. */
  @Test
  void theLibraryDependsOnNoCommandLine() {
    noClasses()
        .that()
        .resideInAnyPackage("io.cascade.client.api..", "io.cascade.client.ways..")
        .should()
        .transitivelyDependOnClassesThat()
        .resideInAnyPackage("picocli..", "me.tongfei..", "io.cascade.client.verbs..")
        .check(PRODUCTION);
  }

  @Test
  void everyHttpCallHasADeadlineAndABound() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.cascade.api.client")
        .should()
        .accessClassesThat()
        .haveFullyQualifiedName("java.net.http.HttpClient")
        .orShould()
        .callMethodWhere(target(owner(assignableTo(HttpURLConnection.class))))
        .orShould()
        .callMethod(URL.class, "openStream")
        .orShould()
        .callMethod(URLConnection.class, "connect")
        .check(PRODUCTION);
  }

  /**
   * The texts of failures are for people: they follow the machine's language and change with the
   * kernel, the JDK and libraries. Types, error numbers and codes are what programs decide by.
   */
  @Test
  void noFailureIsToldByItsMessage() throws IOException {
    List<String> matching = new ArrayList<>();
    for (Path file : productionSources()) {
      if (OWN_TEXTS.contains(file.getFileName().toString())) {
        continue;
      }
      for (String line : lookedInto(Files.readString(file))) {
        matching.add(file + ": " + line);
      }
    }
    assertThat(matching).isEmpty();
  }

  @Test
  void aMessageThatIsLookedIntoIsFound() {
    assertThat(lookedInto("if (e.getMessage().contains(\"refused\")) {")).hasSize(1);
    assertThat(
            lookedInto(
                """
                String text = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
                if (text.startsWith("no ")) {
                """))
        .hasSize(1);
    assertThat(lookedInto("String text = e.getMessage();\nboolean is = text.equals(\"a\");"))
        .hasSize(1);
    assertThat(lookedInto("String why = e.getMessage();\nif (!why.equals(before)) {")).isEmpty();
  }

  /** Places where the text of an exception is searched, or compared with a constant. */
  private static List<String> lookedInto(String source) {
    String look = "\\s*\\.(?:contains|startsWith|endsWith|matches|indexOf|equals\\(\")";
    List<String> found = new ArrayList<>();
    Pattern.compile("getMessage\\(\\)\\)?" + look)
        .matcher(source)
        .results()
        .forEach(place -> found.add(place.group()));
    Pattern.compile("String (\\w+) =[^;]*getMessage\\(\\)[^;]*;")
        .matcher(source)
        .results()
        .forEach(told ->
            Pattern.compile("\\b" + told.group(1) + look)
                .matcher(source.substring(told.end()))
                .results()
                .forEach(place -> found.add(place.group())));
    return found;
  }

  @Test
  void functionsOfTheCLibraryAreBoundInOnePlace() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.cascade.kernel")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(Linker.class)
        .check(PRODUCTION);
  }

  /** Imports do not count: they say what a class uses, and are not read. */
  @Test
  void noClassIsTooLongToBeRead() throws IOException {
    List<String> tooLong = new ArrayList<>();
    for (Path file : productionSources()) {
      long lines =
          Files.readAllLines(file).stream().filter(line -> !line.startsWith("import ")).count();
      if (lines > MOST_LINES) {
        tooLong.add(file + ": " + lines + " lines");
      }
    }
    assertThat(tooLong).isEmpty();
  }

  /** A reader of a name in a module needs not ask which of two is meant. */
  @Test
  void noModuleHasTwoClassesOfOneName() throws IOException {
    Map<String, Path> seen = new HashMap<>();
    List<String> twice = new ArrayList<>();
    for (Path file : productionSources()) {
      String name = file.getFileName().toString();
      Path other = seen.put(ROOT.relativize(file).getName(0) + " " + name, file);
      if (other != null && !name.endsWith("-info.java")) {
        twice.add(other + " and " + file);
      }
    }
    assertThat(twice).isEmpty();
  }

  private static List<Path> productionSources() throws IOException {
    List<Path> all = new ArrayList<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path sources : modules.map(module -> module.resolve("src/main/java")).toList()) {
        if (Files.isDirectory(sources)) {
          try (Stream<Path> files = Files.walk(sources)) {
            files.filter(path -> path.toString().endsWith(".java")).forEach(all::add);
          }
        }
      }
    }
    return all;
  }
}
