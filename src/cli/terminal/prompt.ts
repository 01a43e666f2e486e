import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { Context } from "../command-line/command.ts";

/** Passes readline's output to stderr, except while a secret is typed. */
class Echo extends Writable {
  isOn = true;
  readonly #stream: Writable;

  constructor(stream: Writable) {
    super();
    this.#stream = stream;
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    if (this.isOn) this.#stream.write(chunk);
    done();
  }
}

/**
 * Asks on the terminal, or reads the next lines of another standard input.
 * @param questions the questions; answers to `isSecret` are not echoed
 * @returns the answers; an empty text if the input ended
 * @throws the signal's reason
 */
export async function prompt(
  { stdin, stderr, signal }: Context,
  questions: readonly { readonly text: string; readonly isSecret: boolean }[],
): Promise<string[]> {
  const isTerminal = stdin.isTTY === true;
  const echo = new Echo(stderr);
  const lines = createInterface({ input: stdin, output: echo, terminal: isTerminal });
  const answers: string[] = [];
  try {
    if (!isTerminal) {
      for await (const line of lines) {
        answers.push(line);
        if (answers.length === questions.length) break;
      }
      signal.throwIfAborted();
      return questions.map((_, at) => answers[at] ?? "");
    }
    // While the terminal is read key by key, Ctrl-C sends no signal to the process.
    lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
    for (const { text, isSecret } of questions) {
      // Readline clears the line before it asks. Its echo of a secret is dropped.
      if (isSecret) stderr.write(text);
      echo.isOn = !isSecret;
      answers.push(await lines.question(isSecret ? "" : text, { signal }));
      if (isSecret) stderr.write("\n");
    }
    return answers;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    lines.close();
    stdin.pause();
  }
}
