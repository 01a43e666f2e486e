/** Waits for an answer for so long. @throws what it throws, or Error where the time is up: whoever was asked goes on unheard */
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
