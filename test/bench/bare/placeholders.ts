import type { Codecs } from "../../../src/codecs/worker.ts";
import type { MediaType } from "../../../src/domain/media-types.ts";

/**
 * The Codec Worker's part of an upload. `PUT /` gives a file. `GET /placeholder` makes its placeholder and `GET /compression` compresses it,
 * with its placeholder if the query is `?placeholder`. `GET /reading` sends the file to the Codec Worker, which reads nothing of it.
 */

interface BenchEnv {
  readonly CODECS: Service<typeof Codecs>;
}

let type: MediaType = "image/jpeg";
let bytes = new Uint8Array();

const open = () => new Blob([bytes]).stream();

export default {
  async fetch(request: Request, { CODECS }: BenchEnv): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    if (request.method === "PUT") {
      type = request.headers.get("Content-Type") as MediaType;
      bytes = new Uint8Array(await request.arrayBuffer());
      return new Response();
    }
    const task = { type, sizeBytes: bytes.length };
    using room = await CODECS.open();
    if (pathname === "/reading") {
      using answer = await room.compress({ ...task, type: "video/mp4", quality: 65 }, open());
      return Response.json(answer.outcome);
    }
    if (pathname === "/placeholder") {
      using answer = await room.placeholder({ ...task, mayWait: false }, open());
      return Response.json(answer, { status: answer.outcome === "made" ? 200 : 422 });
    }
    using answer = await room.compress({ ...task, quality: 65, wantsPlaceholder: search !== "" }, open());
    if (answer.outcome !== "compressed") return Response.json(answer, { status: 422 });
    await answer.body.cancel();
    const isComplete = search === "" || answer.placeholder !== undefined;
    return new Response(null, { status: isComplete ? 200 : 422 });
  },
};
