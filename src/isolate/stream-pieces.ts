/**
 * A byte stream of bytes in memory, which can be sent to another Worker. The bytes are not copied, and each piece is dropped once it was
 * read.
 * @param onEnd called once, when everything was read or the reader cancels
 */
export function streamPieces(pieces: readonly Uint8Array[], onEnd: () => void): ReadableStream<Uint8Array> {
  const { readable, writable } = new FixedLengthStream(pieces.reduce((sum, { length }) => sum + length, 0));
  writeAll([...pieces], writable.getWriter()).then(onEnd, onEnd);
  return readable;
}

/** @throws Error if the reader cancels */
async function writeAll(left: Uint8Array[], writer: WritableStreamDefaultWriter<Uint8Array>): Promise<void> {
  for (let piece = left.shift(); piece !== undefined; piece = left.shift()) await writer.write(piece);
  await writer.close();
}
