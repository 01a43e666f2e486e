const MAX_STACK_LENGTH = 4000;
const MAX_MESSAGE_LENGTH = 1000;
/** Depth to which an error's causes are logged. */
const MAX_CAUSES = 3;

type Fact = string | number | boolean | null | undefined;

/**
 * One line of the log, as JSON whose fields Workers Logs indexes. Facts are ids, counts and fixed words, never a credential, an e-mail
 * address, a file name or a query.
 * @param event the event's name, as `resource.verb`
 * @param error logged with its stack
 */
export function toLogLine(event: string, facts: Readonly<Record<string, Fact>>, error?: unknown): string {
  return JSON.stringify({ event, ...facts, ...(error === undefined ? {} : { error: describeError(error) }) });
}

export interface DescribedError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: DescribedError;
}

/** An error of bounded length for the log. */
export function describeError(error: unknown, depth = MAX_CAUSES): DescribedError {
  if (!(error instanceof Error)) return { name: typeof error, message: String(error).slice(0, MAX_MESSAGE_LENGTH) };
  const { name, message, stack, cause } = error;
  return {
    name,
    message: message.slice(0, MAX_MESSAGE_LENGTH),
    ...(stack === undefined ? {} : { stack: stack.slice(0, MAX_STACK_LENGTH) }),
    ...(cause === undefined || depth === 0 ? {} : { cause: describeError(cause, depth - 1) }),
  };
}
