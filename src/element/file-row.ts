import { fill, type MESSAGES } from "./messages.ts";

/** A file stays `failed` or `stored` until the visitor acts. */
export type FileState = "waiting" | "sending" | "stored" | "failed";

interface RowOptions {
  readonly file: File;
  readonly message: (name: keyof typeof MESSAGES) => string;
  readonly onCancel: () => void;
  readonly onRetry: () => void;
  readonly onRemove: () => void;
}

/** A file in the list: its name, progress, state, and the buttons that apply to the state. */
export class FileRow {
  readonly element = document.createElement("li");
  readonly #options: RowOptions;
  readonly #progress = document.createElement("progress");
  readonly #status = document.createElement("span");
  readonly #actions = document.createElement("span");

  constructor(options: RowOptions) {
    this.#options = options;
    const { file } = options;
    const name = document.createElement("span");
    name.textContent = name.title = file.name;
    this.#progress.setAttribute("aria-label", file.name);
    this.#progress.max = 100;
    this.element.append(name, this.#actions, this.#progress, this.#status);
    setParts({ item: this.element, name, progress: this.#progress, status: this.#status, actions: this.#actions });
    this.show("waiting");
  }

  /** @param reason why the file failed */
  show(state: FileState, reason = "", canRetry = false): void {
    const { message, onCancel, onRetry, onRemove } = this.#options;
    // A button that disappears must not lose the keyboard's place.
    const hadFocus = this.#actions.contains((this.element.getRootNode() as ShadowRoot).activeElement ?? null);
    this.element.className = state;
    this.#progress.hidden = state === "stored" || state === "failed";
    this.#status.textContent = state === "failed" ? reason : message(state === "stored" ? "stored" : "waiting");
    const buttons = {
      waiting: () => [this.#button("cancel", "\u2715", onCancel)],
      sending: () => [this.#button("cancel", "\u2715", onCancel)],
      stored: () => [this.#button("remove", "\u2715", onRemove)],
      failed: () => [
        ...(canRetry ? [this.#button("retry", "\u21bb", onRetry)] : []),
        this.#button("remove", "\u2715", onRemove),
      ],
    }[state]();
    this.#actions.replaceChildren(...buttons);
    if (hadFocus) buttons[0]?.focus();
  }

  /** @param percent 100: the service still has to answer */
  progress(percent: number): void {
    const { message } = this.#options;
    this.#progress.value = percent;
    this.#status.textContent = percent === 100 ? message("finishing") : fill(message("sending"), percent);
  }

  #button(name: "cancel" | "retry" | "remove", sign: string, act: () => void): HTMLButtonElement {
    const { file, message } = this.#options;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = sign;
    button.title = fill(message(name), file.name);
    button.setAttribute("aria-label", button.title);
    button.part.add(name);
    button.addEventListener("click", act);
    return button;
  }
}

function setParts(parts: Readonly<Record<string, Element>>): void {
  for (const [name, element] of Object.entries(parts)) element.part.add(name);
}
