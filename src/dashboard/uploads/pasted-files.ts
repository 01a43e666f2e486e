/** What we use of a `DataTransfer`. */
interface Clipboard {
  readonly files: Iterable<File>;
  readonly types: readonly string[];
}

/**
 * The files of a clipboard. Pictures that were copied out of a program all are named `image.png`: they are named by their time.
 * @param isEditing whether a text field has the focus, where text goes before files
 */
export function pastedFiles({ files, types }: Clipboard, isEditing: boolean, now: Date): File[] {
  if (isEditing && types.some((type) => type.startsWith("text/"))) return [];
  return Array.from(files, (file) => {
    const [, extension] = /^image\.(\w+)$/.exec(file.name) ?? [];
    if (extension === undefined) return file;
    return new File([file], `Pasted ${timeOf(now)}.${extension}`, { type: file.type, lastModified: file.lastModified });
  });
}

/** "2026-11-22 18.05.01", in the reader's time zone. */
function timeOf(now: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const day = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join("-");
  return `${day} ${[now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join(".")}`;
}
