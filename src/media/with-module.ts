/**
 * Gives Emscripten's loader a compiled module. It would fetch the module otherwise.
 * @param onInstance called with the new instance
 */
export function withModule(module: WebAssembly.Module, onInstance?: (instance: WebAssembly.Instance) => void) {
  return {
    noInitialRun: true,
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) {
      const instance = new WebAssembly.Instance(module, imports);
      onInstance?.(instance);
      done(instance);
      return instance.exports;
    },
  };
}
