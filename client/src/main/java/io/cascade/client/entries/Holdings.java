package io.cascade.client.entries;

import io.cascade.client.entries.Entry.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answers manifests from what is below a destination: an entry is there if a file of its size and
 * time of modification has its name, or a link with its target. No link is followed to it.
 */
public final class Holdings implements AutoCloseable {
  private final HeldFolder top;
  private String parent = "";
  private @Nullable HeldFolder folder;

  /**
   * @throws IOException where there is no such folder
   */
  public Holdings(Path destination) throws IOException {
    top = HeldFolder.open(destination);
    folder = top;
  }

  /**
   * @throws EntriesFailed where the manifest has a name that no entry can have
   */
  public Wanted answer(Manifest manifest) throws IOException {
    BitSet wanted = new BitSet();
    List<Entry> entries = manifest.entries();
    for (int i = 0; i < entries.size(); i++) {
      wanted.set(i, !has(entries.get(i)));
    }
    return new Wanted(manifest.number(), wanted);
  }

  private boolean has(Entry entry) throws IOException {
    int slash = entry.path().lastIndexOf('/');
    require(slash != 0, entry);
    enter(slash < 0 ? "" : entry.path().substring(0, slash), entry);
    require(Names.isName(entry.name()), entry);
    HeldFolder in = folder;
    if (in == null) {
      return false;
    }
    Path at = in.at(entry.name());
    try {
      BasicFileAttributes is =
          Files.readAttributes(at, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (entry.kind() == Kind.LINK) {
        return is.isSymbolicLink()
            && Names.text(Files.readSymbolicLink(at)).filter(entry.target()::equals).isPresent();
      }
      return is.isRegularFile()
          && is.size() == entry.size()
          && is.lastModifiedTime().toInstant().equals(entry.modified());
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /** Entries come folder by folder: the one of the last entry stays open. */
  private void enter(String path, Entry entry) throws IOException {
    if (path.equals(parent)) {
      return;
    }
    leave();
    HeldFolder at = top;
    List<String> names = path.isEmpty() ? List.of() : List.of(path.split("/", -1));
    require(names.size() <= Names.MOST_LEVELS && names.stream().allMatch(Names::isName), entry);
    for (String name : names) {
      HeldFolder above = at;
      try {
        at = at.folder(name);
      } catch (NoSuchFileException | NotDirectoryException e) {
        folder = null;
        parent = path;
        return;
      } finally {
        if (above != top) {
          above.close();
        }
      }
    }
    folder = at;
    parent = path;
  }

  private static void require(boolean isName, Entry entry) throws EntriesFailed {
    if (!isName) {
      throw new EntriesFailed("the sender offers an entry whose name is '" + entry.path() + "'");
    }
  }

  private void leave() {
    HeldFolder open = folder;
    if (open != null && open != top) {
      open.close();
    }
    folder = top;
    parent = "";
  }

  @Override
  public void close() {
    leave();
    top.close();
  }
}
