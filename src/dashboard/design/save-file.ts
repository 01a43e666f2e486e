/** Has the browser save a file that was made here. */
export function saveFile(filename: string, parts: readonly BlobPart[], mimeType: string): void {
  const url = URL.createObjectURL(new Blob([...parts], { type: mimeType }));
  const link = document.createElement("a");
  link.href = url;
  link.download = filename;
  link.click();
  // The browser has to have begun with it; what it holds is let go then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
