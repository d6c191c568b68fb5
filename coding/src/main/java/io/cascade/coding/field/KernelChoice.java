package io.cascade.coding.field;

/** Chooses the vector kernel if this virtual machine has the required module. */
final class KernelChoice {
  private static final String MODULE = "jdk.incubator.vector";
  private static final String VECTOR = "io.cascade.coding.field.VectorKernel";

  private KernelChoice() {}

  /**
   * @param product of a and b at {@code a · 256 + b}
   */
  static GaloisKernel of(byte[] product) {
    return ModuleLayer.boot().findModule(MODULE).isPresent()
        ? vector(product)
        : new ScalarKernel(product);
  }

  private static GaloisKernel vector(byte[] product) {
    try {
      return Class.forName(VECTOR)
          .asSubclass(GaloisKernel.class)
          .getDeclaredConstructor(byte[].class)
          .newInstance((Object) product);
    } catch (ReflectiveOperationException | LinkageError e) {
      return new ScalarKernel(product); // The module is of another version.
    }
  }
}
