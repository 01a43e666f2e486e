/** Saves a file that the page has made. */
export function saveFile(filename: string, parts: readonly BlobPart[], mimeType: string): void {
  const url = URL.createObjectURL(new Blob([...parts], { type: mimeType }));
  const link = document.createElement("a");
  link.href = url;
  link.download = filename;
  link.click();
  // The browser must have started the download before the blob is released.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
