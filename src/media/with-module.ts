/** Changes the imports of a new instance, and gets the instance. */
interface Attachment {
  guard(imports: WebAssembly.Imports): WebAssembly.Imports;
  attach(instance: WebAssembly.Instance): void;
}

/** Gives Emscripten's loader a compiled module. It would fetch the module otherwise. */
export function withModule(module: WebAssembly.Module, attachment?: Attachment) {
  return {
    noInitialRun: true,
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) {
      const instance = new WebAssembly.Instance(module, attachment?.guard(imports) ?? imports);
      attachment?.attach(instance);
      done(instance);
      return instance.exports;
    },
  };
}
