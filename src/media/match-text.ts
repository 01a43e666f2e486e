/**
 * Horspool's search: most bytes are skipped, and even a file that almost repeats the text takes a step or two a byte.
 * @param text ASCII
 */
export function includesText(bytes: Uint8Array, text: string): boolean {
  const last = text.length - 1;
  const lastCode = text.charCodeAt(last);
  const shifts = new Uint8Array(256).fill(text.length);
  for (let i = 0; i < last; i++) shifts[text.charCodeAt(i)] = last - i;
  for (let end = last; end < bytes.length; ) {
    const byte = bytes[end] as number;
    if (byte === lastCode && startsWith(bytes, text, end - last)) return true;
    end += shifts[byte] as number;
  }
  return false;
}

/** Whether the bytes at `at` are these Latin-1 characters. */
export function startsWith(bytes: Uint8Array, text: string, at = 0): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}
