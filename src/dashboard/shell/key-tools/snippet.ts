export interface Snippet {
  readonly id: "curl" | "javascript" | "react" | "next" | "python" | "php" | "go" | "shell" | "powershell";
  readonly title: string;
  /** How to use the code. */
  readonly hint: string;
  /** The code; several files if it needs them. */
  readonly files: readonly SnippetFile[];
}

interface SnippetFile {
  /** The file's path in the project; the snippet's title if the name does not matter. */
  readonly name: string;
  readonly text: string;
}
