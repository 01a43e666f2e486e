/** A stored file that counts the bytes that are read of it. */
export class CountedFile {
  readonly #file: Uint8Array;
  readBytes = 0;

  constructor(file: Uint8Array) {
    this.#file = file;
  }

  open(): ReadableStream<Uint8Array> {
    return new ReadableStream({
      type: "bytes",
      autoAllocateChunkSize: 16 * 1024,
      pull: (controller) => {
        const request = controller.byobRequest as ReadableStreamBYOBRequest;
        const room = request.view as Uint8Array<ArrayBuffer>;
        const piece = this.#file.subarray(this.readBytes, this.readBytes + room.length);
        room.set(piece);
        this.readBytes += piece.length;
        if (piece.length === 0) controller.close();
        request.respond(piece.length);
      },
    });
  }
}
