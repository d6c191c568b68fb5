package io.cascade.contract;

import io.cascade.api.orchestrator.NetworkDescription;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads a described network as people write one. */
public final class NetworkFile {
  private NetworkFile() {}

  /**
   * The network that a file describes.
   *
   * @param assumedCapacity in bit/s, of links that name none; null leaves them unknown
   * @throws IllegalArgumentException naming file, place and fix
   */
  public static DescribedNetwork read(Path file, @Nullable Long assumedCapacity) {
    return DescriptionFile.read(
        file, "a network described in JSON", json -> parse(json, assumedCapacity));
  }

  /**
   * The network that a text describes.
   *
   * @param assumedCapacity in bit/s, of links that name none; null leaves them unknown
   * @throws IllegalArgumentException naming place and fix
   */
  public static DescribedNetwork parse(String json, @Nullable Long assumedCapacity) {
    return DescribedNetwork.of(description(json), assumedCapacity);
  }

  /**
   * The description as it stands, its values unchecked.
   *
   * @throws IllegalArgumentException naming place and fix
   */
  public static NetworkDescription description(String json) {
    return DescriptionFile.parse(json, NetworkDescription.class, "{\"links\": [...]}");
  }
}
