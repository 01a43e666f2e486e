/**
 * Waits for an answer for at most `deadlineMs`. The work itself continues after that.
 * @throws the answer's error, or Error after the deadline
 */
export async function within<T>(deadlineMs: number, answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${deadlineMs} ms`)), deadlineMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
