package io.cascade.client.entries;

/** Decides which targets of symbolic links stay within the destination. */
final class SafeTarget {
  private SafeTarget() {}

  /**
   * Whether a link with this target can only lead to paths below the destination. {@code ..} is
   * allowed only at the beginning, at most once for each folder around the link: behind a name it
   * would lead up from the target of that name.
   *
   * @param path of the link
   */
  static boolean staysBelow(String path, String target) {
    if (target.startsWith("/") || target.indexOf('\0') >= 0) {
      return false;
    }
    long above = path.chars().filter(c -> c == '/').count();
    boolean atBeginning = true;
    for (String name : target.split("/", -1)) {
      if (name.equals("..")) {
        if (!atBeginning || --above < 0) {
          return false;
        }
      } else if (!name.isEmpty() && !name.equals(".")) {
        atBeginning = false;
      }
    }
    return true;
  }
}
