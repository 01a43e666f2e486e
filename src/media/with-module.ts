/** Gives Emscripten's loader a compiled module. It would fetch the module otherwise. */
export function withModule(module: WebAssembly.Module) {
  return {
    noInitialRun: true,
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) {
      const instance = new WebAssembly.Instance(module, imports);
      done(instance);
      return instance.exports;
    },
  };
}
