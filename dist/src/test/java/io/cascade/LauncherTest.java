package io.cascade;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher script in a checkout of nothing but itself, with a Java that only says how it was
 * called.
 */
@Timeout(60)
class LauncherTest {
  private static final Path SCRIPT = Path.of("..", "cascade").toAbsolutePath().normalize();

  @TempDir Path folder;
  private Path checkout = Path.of("");
  private Path tools = Path.of("");

  @BeforeEach
  void makeCheckout() throws IOException {
    folder = folder.toRealPath();
    checkout = Files.createDirectory(folder.resolve("check out"));
    Files.copy(SCRIPT, checkout.resolve("cascade"));
    Files.setPosixFilePermissions(
        checkout.resolve("cascade"), PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.createDirectories(checkout.resolve("dist/target/cascade/lib"));
    Files.writeString(checkout.resolve("dist/target/cascade/built"), "");
    // Everything that the script calls, and no Java and no Maven.
    tools = Files.createDirectory(folder.resolve("bin"));
    for (String tool :
        List.of(
            "bash",
            "env",
            "sed",
            "readlink",
            "dirname",
            "find",
            "stty",
            "cut",
            "mkdir",
            "touch",
            "rm",
            "mv",
            "grep",
            "head",
            "flock",
            "mktemp",
            "cat",
            "cksum",
            "stat",
            "sleep")) {
      for (String place : List.of("/usr/bin", "/bin")) {
        Path target = Path.of(place, tool);
        if (Files.exists(target) && !Files.exists(tools.resolve(tool))) {
          executable(tools.resolve(tool), "exec " + target + " \"$@\"");
        }
      }
    }
  }

  @Test
  void aMissingJdkIsNamedWithItsFix() throws Exception {
    Run run = launch(folder, Map.of(), checkout.resolve("cascade"), "relays");

    assertThat(run.exit).isEqualTo(1);
    assertThat(run.err.lines()).hasSize(2);
    assertThat(run.err).contains("needs a JDK 25 or newer").contains("Install one");
  }

  @Test
  void anOlderJdkIsNotTaken() throws Exception {
    Path old = jdk("old", "17.0.9");

    Run run = launch(folder, Map.of("JAVA_HOME", old), checkout.resolve("cascade"), "relays");

    assertThat(run.exit).isEqualTo(1);
    assertThat(run.err).contains("needs a JDK 25 or newer");
  }

  @Test
  void javaHomeIsTakenWhereItIsNewEnough() throws Exception {
    Path good = jdk("good", "25.0.1");

    Run run = launch(folder, Map.of("JAVA_HOME", good), checkout.resolve("cascade"), "relays");

    assertThat(run.exit).as(run.err).isZero();
    assertThat(run.out).contains("called " + good);
  }

  @Test
  void anOlderJavaHomeGivesWayToANewerJdkElsewhere() throws Exception {
    Path good = jdk("jdk26", "26");
    Run run =
        launch(
            folder,
            Map.of("JAVA_HOME", jdk("old", "17.0.9"), "CASCADE_JDKS", good),
            checkout.resolve("cascade"),
            "relays");

    assertThat(run.out).contains("called " + good);
  }

  @Test
  void whatWasUnpackedFromAnArchiveRunsOnItsOwnRuntimeAndJars() throws Exception {
    Path unpacked = unpacked();

    Run run =
        launch(
            folder,
            Map.of("JAVA_HOME", jdk("good", "25.0.1")),
            unpacked.resolve("cascade"),
            "relays");

    assertThat(run.exit).as(run.err).isZero();
    assertThat(run.out)
        .contains("called " + folder.resolve("jdks/runtime"))
        .contains(unpacked.resolve("lib") + "/*");
  }

  @Test
  void whatWasUnpackedFromAnArchiveCannotBeBuilt() throws Exception {
    Run run = launch(folder, Map.of(), unpacked().resolve("cascade"), "build");

    assertThat(run.exit).isEqualTo(1);
    assertThat(run.err).contains("build needs a checkout of the sources");
  }

  private Path unpacked() throws IOException {
    Path unpacked = Files.createDirectory(folder.resolve("unpacked"));
    Files.createDirectory(unpacked.resolve("lib"));
    Files.copy(SCRIPT, unpacked.resolve("cascade"), StandardCopyOption.COPY_ATTRIBUTES);
    Files.createSymbolicLink(unpacked.resolve("runtime"), jdk("runtime", "25.0.3"));
    return unpacked;
  }

  @Test
  void itsOwnVerbsSayWhatTheyAreAndDoNothing() throws Exception {
    for (List<String> asked :
        List.of(
            List.of("build", "--help"),
            List.of("package", "-h"),
            List.of("test", "--fast", "--help"),
            List.of("help", "fuzz"))) {
      Run run = launch(folder, Map.of(), checkout.resolve("cascade"), asked.toArray(String[]::new));

      assertThat(run.exit).as("%s: %s", asked, run.err).isZero();
      assertThat(run.out)
          .contains("./cascade package [DIR]   archive")
          .contains("--folder: only says where they are")
          .doesNotContain("#", "CASCADE_JAVA_OPTS");
    }
  }

  @Test
  void javaOnThePathIsTakenLast() throws Exception {
    Path good = jdk("onpath", "25");
    Files.createSymbolicLink(tools.resolve("java"), good.resolve("bin/java"));

    Run run = launch(folder, Map.of(), checkout.resolve("cascade"), "relays");

    assertThat(run.out).contains("called " + good);
  }

  @Test
  void runsFromAnywhereAndThroughSymbolicLinksWithItsArgumentsIntact() throws Exception {
    Path link = Files.createDirectory(folder.resolve("links")).resolve("csc");
    Files.createSymbolicLink(link, Path.of("..", "second"));
    Files.createSymbolicLink(folder.resolve("second"), checkout.resolve("cascade"));

    Run run =
        launch(
            folder.resolve("links"),
            Map.of("JAVA_HOME", jdk("good", "25.0.1")),
            link,
            "send",
            "a file",
            "--name",
            "*");

    assertThat(run.out)
        .contains("[" + checkout + "/dist/target/cascade/lib/*]\n")
        .contains("[-Dcascade.launcher=" + checkout + "/cascade]\n")
        .endsWith("[io.cascade.Cascade]\n[send]\n[a file]\n[--name]\n[*]\n");
  }

  @Test
  void modulesThatItNamesAreThere() throws Exception {
    String script = Files.readString(SCRIPT);
    List<String> named = new ArrayList<>();
    Pattern.compile("'(![a-z-]+(?:,![a-z-]+)*)'")
        .matcher(script)
        .results()
        .forEach(left -> named.addAll(List.of(left.group(1).replace("!", "").split(","))));
    Pattern.compile("\\{([a-z,-]+)\\}/\\{pom.xml,src/main\\}")
        .matcher(script)
        .results()
        .forEach(built -> named.addAll(List.of(built.group(1).split(","))));

    assertThat(named)
        .hasSizeGreaterThan(20)
        .allSatisfy(module -> assertThat(SCRIPT.resolveSibling(module + "/pom.xml")).exists());
  }

  @Test
  void everyVerbHasItsFlags() throws Exception {
    Path good = jdk("good", "25.0.1");

    assertThat(launch(folder, Map.of("JAVA_HOME", good), checkout.resolve("cascade"), "relay").out)
        .contains("[-Xmx256m]", "[-XX:MaxDirectMemorySize=2g]", "[-XX:+UseCompactObjectHeaders]");
    assertThat(
            launch(
                    folder,
                    Map.of("JAVA_HOME", good, "CASCADE_DIRECT_MEMORY", "1g"),
                    checkout.resolve("cascade"),
                    "relay")
                .out)
        .contains("[-XX:MaxDirectMemorySize=1g]");
    assertThat(
            launch(
                    folder,
                    Map.of("JAVA_HOME", good, "CASCADE_JAVA_OPTS", "-Da=b -XX:+UseZGC"),
                    checkout.resolve("cascade"),
                    "orchestrator")
                .out)
        .contains("[-Da=b]", "[-XX:+UseZGC]", "[-XX:+ExitOnOutOfMemoryError]")
        .doesNotContain("UseSerialGC");
  }

  @Test
  void aRelayIsGivenItsOwnJarsAndEveryOtherVerbAllOfThem() throws Exception {
    Path good = jdk("good", "25.0.1");
    String lib = checkout.resolve("dist/target/cascade/lib").toString();
    for (String jar :
        List.of("cascade-relay-core-1", "cascade-dist-1", "cascade-client-1", "h2-1")) {
      Files.writeString(Path.of(lib, jar + ".jar"), "");
    }

    assertThat(launch(folder, Map.of("JAVA_HOME", good), checkout.resolve("cascade"), "relay").out)
        .contains(
            "[-cp]",
            "[%1$s/cascade-relay-core-1.jar:%1$s/cascade-dist-1.jar:%1$s/cascade-client-1.jar]"
                .formatted(lib));
    assertThat(launch(folder, Map.of("JAVA_HOME", good), checkout.resolve("cascade"), "links").out)
        .contains("[" + lib + "/*]");
  }

  @Test
  void aCacheIsUsedWhereThereIsOneAndHoldsNoMachineCode() throws Exception {
    Path good = jdk("good", "25.0.1");
    Path cache = cacheFor(good);

    Run links = launch(folder, Map.of("JAVA_HOME", good), checkout.resolve("cascade"), "links");

    assertThat(links.out)
        .contains("[-XX:AOTCache=" + cache + "]")
        .contains("[-XX:-AOTAdapterCaching]", "[-XX:-AOTStubCaching]");
    assertThat(launch(folder, Map.of("JAVA_HOME", good), checkout.resolve("cascade"), "relay").out)
        .doesNotContain("AOTCache");
  }

  @Test
  void aCacheOfOtherJarsIsNotUsed() throws Exception {
    Path good = jdk("good", "25.0.1");
    Path own = checkout.resolve("dist/target/cascade/lib/cascade-relay-core-1.jar");
    Files.writeString(own, "one");
    Path cache = cacheFor(good);
    FileTime made = Files.getLastModifiedTime(own);

    Files.writeString(own, "two"); // As long and as old as before.
    Files.setLastModifiedTime(own, made);

    assertThat(cache).exists();
    assertThat(launch(folder, Map.of("JAVA_HOME", good), checkout.resolve("cascade"), "links").out)
        .doesNotContain("AOTCache");
  }

  @Test
  void aCacheOfAnotherJvmIsNotUsed() throws Exception {
    cacheFor(jdk("good", "25.0.1"));
    Path other = jdk("other", "25.0.3");

    assertThat(launch(folder, Map.of("JAVA_HOME", other), checkout.resolve("cascade"), "links").out)
        .contains("called " + other)
        .doesNotContain("AOTCache");
  }

  @Test
  void aCacheOfAnotherProcessorIsNotUsed() throws Exception {
    Path good = jdk("good", "25.0.1");
    cacheFor(good);

    Path sed = tools.resolve("sed").toRealPath();
    Files.writeString(
        sed,
        """
        #!/bin/sh
        case "$*" in
          *cpuinfo*) echo 'flags : none of those' ;;
          *) exec /bin/sed "$@" ;;
        esac
        """);

    assertThat(launch(folder, Map.of("JAVA_HOME", good), checkout.resolve("cascade"), "links").out)
        .contains("called " + good)
        .doesNotContain("AOTCache");
  }

  /** A cache for the verbs of this checkout as it is, where the launcher would put it. */
  private Path cacheFor(Path jdk) throws Exception {
    Run made =
        launch(folder, Map.of("JAVA_HOME", jdk), checkout.resolve("cascade"), "caches", "--folder");
    Path cache = Files.createDirectories(Path.of(made.out.strip())).resolve("verb.aot");
    Files.writeString(cache, "");
    return cache;
  }

  @Test
  void missingMavenIsNamedWhereSomethingMustBeBuilt() throws Exception {
    Files.delete(checkout.resolve("dist/target/cascade/built"));

    Run run =
        launch(
            folder,
            Map.of("JAVA_HOME", jdk("good", "25.0.1")),
            checkout.resolve("cascade"),
            "relays");

    assertThat(run.exit).isEqualTo(1);
    assertThat(run.err.lines()).singleElement().asString().contains("Maven").contains("install");
  }

  @Test
  void buildsAgainWhereASourceIsYoungerThanTheBuildAndNotOtherwise() throws Exception {
    Path good = jdk("good", "25.0.1");
    fakeMaven("echo called maven >> \"$CASCADE_TEST_LOG\"");
    Path log = folder.resolve("maven.log");
    Map<String, Object> environment =
        Map.of("JAVA_HOME", good, "CASCADE_TEST_LOG", log, "CASCADE_NO_CACHE", "1");

    assertThat(launch(folder, environment, checkout.resolve("cascade"), "relays").exit).isZero();
    assertThat(log).doesNotExist();

    Path source = Files.createDirectories(checkout.resolve("client/src/main")).resolve("A.java");
    Files.writeString(source, "");
    Files.setLastModifiedTime(source, FileTime.fromMillis(System.currentTimeMillis() + 60_000));
    Run rebuilt = launch(folder, environment, checkout.resolve("cascade"), "relays");

    assertThat(rebuilt.exit).as(rebuilt.err).isZero();
    assertThat(log).hasContent("called maven");
    assertThat(rebuilt.out).as("the note is on stderr").startsWith("called ");
    assertThat(rebuilt.err).contains("building");
  }

  @Test
  void aFailedBuildShowsItsErrorsAndRunsNothing() throws Exception {
    Files.delete(checkout.resolve("dist/target/cascade/built"));
    fakeMaven("echo '[INFO] fine'; echo '[ERROR] A.java: not fine'; exit 1");

    Run run =
        launch(
            folder,
            Map.of("JAVA_HOME", jdk("good", "25.0.1")),
            checkout.resolve("cascade"),
            "relays");

    assertThat(run.exit).isEqualTo(1);
    assertThat(run.out).isEmpty();
    assertThat(run.err).contains("[ERROR] A.java: not fine").contains("build.log");
    assertThat(checkout.resolve("dist/target/cascade/built")).doesNotExist();
  }

  @Test
  void launchersAtTheSameTimeBuildOnce() throws Exception {
    Files.delete(checkout.resolve("dist/target/cascade/built"));
    Path log = folder.resolve("maven.log");
    fakeMaven("echo begin >> \"$CASCADE_TEST_LOG\"; sleep 0.3; echo end >> \"$CASCADE_TEST_LOG\"");
    Map<String, Object> environment =
        Map.of(
            "JAVA_HOME", jdk("good", "25.0.1"), "CASCADE_TEST_LOG", log, "CASCADE_NO_CACHE", "1");

    List<Process> launchers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      launchers.add(start(folder, environment, checkout.resolve("cascade"), "relays"));
    }
    for (Process launcher : launchers) {
      launcher.getInputStream().readAllBytes();
      assertThat(launcher.waitFor()).isZero();
    }

    assertThat(log).hasContent("begin\nend");
  }

  private Path jdk(String name, String version) throws IOException {
    Path home = folder.resolve("jdks").resolve(name);
    if (Files.exists(home)) {
      return home;
    }
    Files.createDirectories(home.resolve("bin"));
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    executable(
        home.resolve("bin/java"),
        "echo \"called " + home + "\"\nfor word in \"$@\"; do echo \"[$word]\"; done");
    executable(home.resolve("bin/javac"), "exit 0");
    return home;
  }

  private void fakeMaven(String script) throws IOException {
    executable(tools.resolve("mvn"), script);
  }

  private static void executable(Path file, String script) throws IOException {
    Files.writeString(file, "#!/bin/bash\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Run launch(Path directory, Map<String, ?> environment, Path launcher, String... arguments)
      throws Exception {
    Process process = start(directory, environment, launcher, arguments);
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int exit = process.waitFor();
    return new Run(exit, out, Files.readString(folder.resolve("stderr")));
  }

  private Process start(
      Path directory, Map<String, ?> environment, Path launcher, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", tools.toString());
    builder.environment().put("HOME", folder.toString());
    builder.environment().put("CASCADE_JDKS", folder.resolve("nothing").toString());
    environment.forEach((name, value) -> builder.environment().put(name, value.toString()));
    builder.redirectError(folder.resolve("stderr").toFile());
    return builder.start();
  }

  record Run(int exit, String out, String err) {}
}
