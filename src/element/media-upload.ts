import { Connection } from "../client/connection.ts";
import { MediaHostError } from "../client/media-host-error.ts";
import { sendByXhr } from "../client/send-by-xhr.ts";
import { discard } from "../client/send-resumable.ts";
import type { UploadResult } from "../client/types.ts";
import { upload } from "../client/upload.ts";
import type { UploadOptions, UploadProgress } from "../client/upload-options.ts";
import { ACCEPT, accepts } from "./accepts.ts";
import { FileRow, type FileState } from "./file-row.ts";
import { fill, MESSAGES, type Messages } from "./messages.ts";
import { STYLES } from "./styles.ts";

const AT_ONCE = 3;
const MB = 1_000_000;
const ATTRIBUTES = ["accept", "multiple", "disabled", "required", "base-url"];
/** A server that renders pages has no `HTMLElement` to extend. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

interface Item {
  readonly file: File;
  readonly row: FileRow;
  state: FileState;
  result?: UploadResult;
  stopping?: AbortController | undefined;
}

/** The credential: an upload token or a key; or a function that gets one from the page's own server. */
export type Token = string | (() => string | Promise<string>);

/** Details of the events `progress` and `error`. */
export interface FileProgress extends UploadProgress {
  readonly file: File;
}
export interface FileError {
  readonly file: File;
  readonly error: MediaHostError;
}

/**
 * `<media-upload base-url="https://media.example" token="service_token_..." multiple>`: a button and a drop zone that upload to the media
 * host, with progress, cancelling and resuming. In a form it has the ids of the stored files as its value. It sends the events `upload`,
 * `error`, `progress` and `change`.
 */
export class MediaUpload extends Base {
  static readonly formAssociated = true;
  static readonly observedAttributes = ATTRIBUTES;
  readonly #internals: ElementInternals;
  readonly #input = document.createElement("input");
  readonly #button = document.createElement("button");
  readonly #hint = document.createElement("span");
  readonly #list = document.createElement("ul");
  readonly #live = document.createElement("span");
  readonly #items: Item[] = [];
  #messages: Messages = {};
  #token: Token | undefined;

  constructor() {
    super();
    this.#internals = this.attachInternals();
    const root = this.attachShadow({ mode: "open", delegatesFocus: true });
    // A constructed style sheet needs no permission of the page's Content-Security-Policy.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLES);
    root.adoptedStyleSheets = [sheet];
    const drop = document.createElement("div");
    const slot = document.createElement("slot");
    slot.append(this.#hint);
    drop.append(this.#button, slot);
    for (const [part, element] of Object.entries({ drop, button: this.#button, list: this.#list, live: this.#live }))
      element.part.add(part);
    this.#button.type = "button";
    this.#input.type = "file";
    this.#live.setAttribute("role", "status");
    root.append(drop, this.#input, this.#list, this.#live);
    this.#button.addEventListener("click", () => this.open());
    this.#input.addEventListener("change", () => {
      this.add(this.#input.files ?? []);
      // The same file can be chosen again.
      this.#input.value = "";
    });
    const over = (isOver: boolean) => drop.classList.toggle("over", isOver && !this.#isDisabled());
    drop.addEventListener("dragover", (event) => {
      event.preventDefault();
      over(true);
    });
    drop.addEventListener("dragleave", () => over(false));
    drop.addEventListener("drop", (event) => {
      event.preventDefault();
      over(false);
      this.add(event.dataTransfer?.files ?? []);
    });
    this.#render();
  }

  /** Replaces the attribute of this name. (Svelte sets only properties that have a setter.) */
  get token(): Token | undefined {
    return this.#token;
  }

  set token(token: Token | undefined) {
    this.#token = token;
  }

  /** Texts that replace the element's own. */
  get messages(): Messages {
    return this.#messages;
  }

  set messages(messages: Messages) {
    this.#messages = messages;
    this.#render();
  }

  /** The stored files, in the order in which they were chosen. */
  get results(): UploadResult[] {
    return this.#items.flatMap(({ result }) => result ?? []);
  }

  get form(): HTMLFormElement | null {
    return this.#internals.form;
  }

  get validity(): ValidityState {
    return this.#internals.validity;
  }

  checkValidity(): boolean {
    return this.#internals.checkValidity();
  }

  reportValidity(): boolean {
    return this.#internals.reportValidity();
  }

  /** Opens the browser's window for files. */
  open(): void {
    if (!this.#isDisabled()) this.#input.click();
  }

  /** Uploads files. Files that the attributes do not allow are shown with the reason, and not sent. */
  add(files: Iterable<File>): void {
    if (this.#isDisabled()) return;
    const chosen = [...files];
    for (const file of this.hasAttribute("multiple") ? chosen : chosen.slice(0, 1)) this.#add(file);
    this.#changed();
    this.#startNext();
  }

  /** Cancels running uploads, and empties the list. Stored files stay stored. */
  clear(): void {
    for (const item of [...this.#items]) this.#remove(item);
  }

  attributeChangedCallback(): void {
    this.#render();
  }

  /** The element's form was reset. */
  formResetCallback(): void {
    this.clear();
  }

  formDisabledCallback(): void {
    this.#render();
  }

  /** An element that leaves its page sends nothing more. A large file continues when it is chosen again. */
  disconnectedCallback(): void {
    queueMicrotask(() => {
      if (this.isConnected) return;
      for (const { stopping } of this.#items) stopping?.abort();
    });
  }

  connectedCallback(): void {
    this.#changed();
  }

  #add(file: File): void {
    const item: Item = {
      file,
      state: "waiting",
      row: new FileRow({
        file,
        message: (name) => this.#message(name),
        onCancel: () => this.#cancel(item),
        onRetry: () => this.#retry(item),
        onRemove: () => this.#remove(item, true),
      }),
    };
    const refusal = this.#refusalOf(file);
    // A new file replaces the earlier file, unless the element takes several.
    if (refusal === undefined && !this.hasAttribute("multiple")) this.clear();
    this.#items.push(item);
    this.#list.append(item.row.element);
    if (refusal !== undefined) this.#fail(item, new MediaHostError(refusal, { statusCode: 0 }), false);
  }

  #refusalOf(file: File): string | undefined {
    const maxFiles = this.#limit("max-files");
    const isCounted = ({ state }: Item) => state !== "failed";
    if (this.hasAttribute("multiple") && this.#items.filter(isCounted).length >= maxFiles)
      return fill(this.#message("tooMany"), maxFiles);
    const maxBytes = this.#limit("max-bytes");
    if (file.size > maxBytes) return fill(this.#message("tooLarge"), Number((maxBytes / MB).toPrecision(2)));
    return accepts(this.#accept(), file) ? undefined : this.#message("wrongType");
  }

  #startNext(): void {
    const sending = this.#items.filter(({ state }) => state === "sending").length;
    const waiting = this.#items.filter(({ state }) => state === "waiting");
    for (const item of waiting.slice(0, Math.max(0, AT_ONCE - sending))) void this.#send(item);
  }

  async #send(item: Item): Promise<void> {
    const { file, row } = item;
    const stopping = new AbortController();
    item.state = "sending";
    item.stopping = stopping;
    row.show("sending");
    row.progress(0);
    const onProgress = (progress: UploadProgress) => {
      if (item.stopping !== stopping) return;
      row.progress(progress.totalBytes === 0 ? 100 : Math.floor((100 * progress.sentBytes) / progress.totalBytes));
      this.#tell("progress", { file, ...progress } satisfies FileProgress);
    };
    try {
      const options = { ...this.#options(), onProgress, signal: stopping.signal };
      const result = await upload(this.#connection(), file, options);
      if (item.stopping !== stopping) return;
      item.state = "stored";
      item.result = result;
      row.show("stored");
      this.#say(fill(this.#message("wasStored"), file.name));
      this.#tell("upload", result);
    } catch (error) {
      if (item.stopping !== stopping || stopping.signal.aborted) return;
      const known =
        error instanceof MediaHostError ? error : new MediaHostError(String(error), { statusCode: 0, cause: error });
      this.#fail(item, known, known.retryable || known.statusCode === 401);
    } finally {
      if (item.stopping === stopping) item.stopping = undefined;
      this.#changed();
      this.#startNext();
    }
  }

  #fail(item: Item, error: MediaHostError, canRetry: boolean): void {
    const { file, row } = item;
    item.state = "failed";
    const reason = this.#reasonOf(error, canRetry);
    row.show("failed", reason, canRetry);
    this.#say(fill(this.#message("wasRefused"), file.name, reason));
    this.#tell("error", { file, error } satisfies FileError);
  }

  #retry(item: Item): void {
    item.state = "waiting";
    item.row.show("waiting");
    this.#changed();
    this.#startNext();
  }

  #cancel(item: Item): void {
    this.#remove(item, true);
    this.#say(fill(this.#message("wasCancelled"), item.file.name));
  }

  /** @param movesFocus the button that was pressed disappears */
  #remove(item: Item, movesFocus = false): void {
    const at = this.#items.indexOf(item);
    if (at < 0) return;
    const { state, stopping, file } = item;
    item.stopping = undefined;
    stopping?.abort();
    // The bytes that have arrived are deleted, too.
    if (state !== "stored") void discard(this.#connection(), file, this.#options()).catch(() => undefined);
    this.#items.splice(at, 1);
    item.row.element.remove();
    if (movesFocus) this.#focusRow(at);
    this.#changed();
    this.#startNext();
  }

  #focusRow(at: number): void {
    const next = this.#items[at] ?? this.#items[at - 1];
    const button = next?.row.element.querySelector("button") ?? this.#button;
    button.focus();
  }

  #options(): UploadOptions {
    const tags = this.getAttribute("tags")
      ?.split(",")
      .map((tag) => tag.trim())
      .filter(Boolean);
    return {
      folderId: this.getAttribute("folder-id"),
      ...(tags !== undefined && { tags }),
      ...(storage() !== undefined && { storage: storage() as Storage }),
    };
  }

  #connection(): Connection {
    const key = this.#token ?? this.getAttribute("token") ?? undefined;
    return new Connection(
      { baseUrl: this.getAttribute("base-url") ?? "", ...(key !== undefined && { key }) },
      sendByXhr,
    );
  }

  #accept(): string {
    return this.getAttribute("accept") ?? ACCEPT;
  }

  /** An attribute's number; `Infinity` if it is absent or none. */
  #limit(name: string): number {
    const limit = Number.parseInt(this.getAttribute(name) ?? "", 10);
    return limit >= 0 ? limit : Infinity;
  }

  #isDisabled(): boolean {
    return this.matches(":disabled");
  }

  /** The service's words for a refused token are for programs, not for visitors. */
  #reasonOf({ statusCode, code, message }: MediaHostError, canRetry: boolean): string {
    if (statusCode === 401) return this.#message("ended");
    if (code === "upload_token_used_up") return this.#message("full");
    return canRetry && statusCode === 0 ? this.#message("noNetwork") : message;
  }

  #message(name: keyof typeof MESSAGES): string {
    return this.#messages[name] ?? MESSAGES[name];
  }

  #render(): void {
    const isMultiple = this.hasAttribute("multiple");
    this.#input.multiple = isMultiple;
    this.#input.accept = this.#accept();
    this.#button.textContent = this.#message(isMultiple ? "choose" : "chooseOne");
    this.#hint.textContent = this.#message(isMultiple ? "drop" : "dropOne");
    this.#list.setAttribute("aria-label", this.#message("files"));
    this.#button.disabled = this.#isDisabled();
    this.#changed(false);
  }

  /** The form has the ids of the stored files, and cannot be sent while files are on their way. */
  #changed(tells = true): void {
    const name = this.getAttribute("name");
    const value = new FormData();
    for (const { _id } of this.results) value.append(name ?? "", _id);
    this.#internals.setFormValue(name === null || this.results.length === 0 ? null : value);
    const isBusy = this.#items.some(({ state }) => state === "sending" || state === "waiting");
    const isMissing = this.hasAttribute("required") && this.results.length === 0;
    if (isBusy) this.#internals.setValidity({ customError: true }, this.#message("inProgress"), this.#button);
    else if (isMissing) this.#internals.setValidity({ valueMissing: true }, this.#message("missing"), this.#button);
    else this.#internals.setValidity({});
    if (tells) this.#tell("change");
  }

  #say(text: string): void {
    this.#live.textContent = text;
  }

  #tell(name: string, detail?: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

/** A browser may refuse its storage. Then a reload starts a large file again. */
function storage(): Storage | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}
