const CHUNK_CHARACTERS = 64 * 1024;

/**
 * Values as JSON lines, made as they are read: nothing is asked of `values` before the reader wants more. Where it throws, the stream
 * breaks off.
 */
export function streamLines<T>(values: AsyncGenerator<T>, toLine: (value: T) => unknown): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      async pull(controller) {
        let text = "";
        while (text.length < CHUNK_CHARACTERS) {
          const { value, done } = await values.next();
          if (done) break;
          text += `${JSON.stringify(toLine(value))}\n`;
        }
        if (text === "") controller.close();
        else controller.enqueue(encoder.encode(text));
      },
      async cancel() {
        await values.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
