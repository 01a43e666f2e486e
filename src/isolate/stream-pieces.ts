const SLICE_BYTES = 64 * 1024;

/**
 * A byte stream of bytes in memory, which can be sent to another Worker. Each piece is released once it was sent.
 * @param onEnd called once, when everything was read or the reader cancels
 */
export function streamPieces(pieces: readonly Uint8Array[], onEnd: () => void = () => {}): ReadableStream<Uint8Array> {
  const left = pieces.filter(({ length }) => length > 0);
  return new ReadableStream({
    type: "bytes",
    pull(controller) {
      const [piece] = left;
      if (piece === undefined) {
        controller.close();
        controller.byobRequest?.respond(0);
        onEnd();
        return;
      }
      // A stream takes ownership of its buffer, so a slice is copied.
      controller.enqueue(piece.slice(0, SLICE_BYTES));
      if (piece.length > SLICE_BYTES) left[0] = piece.subarray(SLICE_BYTES);
      else left.shift();
    },
    cancel() {
      left.length = 0;
      onEnd();
    },
  });
}
