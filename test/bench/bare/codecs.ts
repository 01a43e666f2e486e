/** The Codec Worker, which also reports the memory of the codecs: `GET /` since the last `DELETE /`. */

export { Codecs } from "../../../src/codecs/worker.ts";

const memories: WebAssembly.Memory[] = [];

Object.assign(WebAssembly, {
  Instance: class extends WebAssembly.Instance {
    constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
      super(module, imports);
      memories.push(...Object.values(this.exports).filter((each) => each instanceof WebAssembly.Memory));
    }
  },
});

export default {
  fetch(request: Request): Response {
    if (request.method === "DELETE") memories.length = 0;
    return Response.json(memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0));
  },
};
