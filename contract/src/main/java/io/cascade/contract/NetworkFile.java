package io.cascade.contract;

import io.cascade.api.orchestrator.NetworkDescription;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads a described network as people write one. */
public final class NetworkFile {
  private NetworkFile() {}

  /**
   * The network in a file.
   *
   * @param assumedCapacity capacity in bit/s of links that name none; null leaves it unknown
   * @throws IllegalArgumentException naming file, place and fix
   */
  public static DescribedNetwork read(Path file, @Nullable Long assumedCapacity) {
    return DescriptionFile.read(
        file, "a network described in JSON", json -> parse(json, assumedCapacity));
  }

  /**
   * The network in a text.
   *
   * @param assumedCapacity capacity in bit/s of links that name none; null leaves it unknown
   * @throws IllegalArgumentException naming place and fix
   */
  public static DescribedNetwork parse(String json, @Nullable Long assumedCapacity) {
    return DescribedNetwork.of(description(json), assumedCapacity);
  }

  /**
   * The description, with its values not validated.
   *
   * @throws IllegalArgumentException naming place and fix
   */
  public static NetworkDescription description(String json) {
    return DescriptionFile.parse(json, NetworkDescription.class, "{\"links\": [...]}");
  }
}
