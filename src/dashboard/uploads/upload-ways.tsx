import Camera from "lucide-react/icons/camera";
import ChevronDown from "lucide-react/icons/chevron-down";
import Globe from "lucide-react/icons/globe";
import ImagePlus from "lucide-react/icons/image-plus";
import ListPlus from "lucide-react/icons/list-plus";
import Upload from "lucide-react/icons/upload";
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useAccount } from "../api/queries/account.ts";
import { formatPlural, isolate } from "../design/format.ts";
import { IconButton } from "../design/icon-button.tsx";
import { lazyPart } from "../design/lazy-part.tsx";
import { Menu } from "../design/menu.tsx";
import { toast } from "../design/toast.tsx";
import { type Command, registerCommands } from "../shell/commands.ts";
import { MOST_URLS, readUrls } from "./read-urls.ts";
import { takeUnsent } from "./unsent.ts";
import { uploads } from "./uploads-store.ts";

const ImportDialog = lazyPart(() => import("./import-dialog.tsx"));
const UploadOptionsDialog = lazyPart(() => import("./upload-options-dialog.tsx"));

/** An import, from its question to its end. */
interface Import {
  readonly id: number;
  /** The pasted URLs. */
  readonly text: string;
  readonly folderId: string | null;
}

interface UploadWaysProps {
  /** The shown folder. */
  readonly shownId: string | null;
  readonly choose: () => void;
}

/** Further ways to upload, as commands and in a menu beside the button Upload. It is loaded when the page is idle. */
export default function UploadWays({ shownId, choose }: UploadWaysProps) {
  const camera = useRef<HTMLInputElement>(null);
  const [isAsking, setAsking] = useState(false);
  const [imports, setImports] = useState<readonly Import[]>([]);
  useUnsentNotice(choose);
  const now = useRef(shownId);
  now.current = shownId;
  const ask = useCallback(
    (text: string) =>
      setImports((before) => [...before, { id: (before.at(-1)?.id ?? 0) + 1, text, folderId: now.current }]),
    [],
  );
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const text = pastedUrls(event);
      if (text !== undefined) ask(text);
    };
    addEventListener("paste", paste);
    return () => removeEventListener("paste", paste);
  }, [ask]);

  const ways = useMemo(() => {
    const options = { id: "upload-options", title: "Upload options", icon: ListPlus, run: () => setAsking(true) };
    const photo = { id: "take-photo", title: "Take a photo", icon: Camera, run: () => camera.current?.click() };
    const web = { id: "import", title: "Import from the web", icon: Globe, run: () => ask("") };
    return hasCamera() ? [photo, options, web] : [options, web];
  }, [ask]);
  useEffect(() => {
    const upload: Command = { id: "upload", title: "Upload files", keys: "u", icon: Upload, run: choose };
    return registerCommands([{ ...upload, beside: <WaysMenu ways={[upload, ...ways]} /> }, ...ways]);
  }, [ways, choose]);

  return (
    <>
      <input
        ref={camera}
        type="file"
        hidden
        accept="image/*"
        capture="environment"
        aria-label="Take a photo to upload"
        onChange={({ currentTarget }) => {
          uploads.add([...(currentTarget.files ?? [])], { folderId: shownId });
          currentTarget.value = "";
        }}
      />
      <Suspense fallback={null}>
        {imports.map(({ id, ...asked }) => (
          <ImportDialog
            key={id}
            {...asked}
            onClose={() => setImports((before) => before.filter((each) => each.id !== id))}
          />
        ))}
        {isAsking && <UploadOptionsDialog shownId={shownId} onClose={() => setAsking(false)} />}
      </Suspense>
    </>
  );
}

function WaysMenu({ ways }: { readonly ways: readonly Command[] }) {
  return (
    <Menu
      align="end"
      trigger={<IconButton label="More ways to upload" icon={hasCamera() ? ImagePlus : ChevronDown} size="large" />}
      items={ways.map(({ run, ...way }) => ({ ...way, onSelect: run }))}
    />
  );
}

/** The text of a paste if it is nothing but URLs, and no field or dialog has the focus. */
function pastedUrls({ clipboardData, target }: ClipboardEvent): string | undefined {
  if (clipboardData === null || clipboardData.files.length > 0) return undefined;
  if (target instanceof Element && target.closest("input, textarea, [contenteditable], [role=dialog]"))
    return undefined;
  const text = clipboardData.getData("text/plain");
  const { urls, wrong } = readUrls(text);
  return wrong === undefined && urls.length > 0 && urls.length <= MOST_URLS ? text : undefined;
}

/** Browsers open the camera only on devices with a touch screen. Elsewhere `capture` opens the file chooser. */
function hasCamera(): boolean {
  return matchMedia("(pointer: coarse)").matches;
}

const MOST_NAMED = 5;

/** Names the files that an earlier page had not sent when it was closed. */
function useUnsentNotice(chooseFiles: () => void): void {
  const accountId = useAccount().data?._id;
  useEffect(() => {
    const unsent = accountId === undefined ? undefined : takeUnsent(localStorage, accountId, Date.now());
    if (unsent === undefined) return;
    const { files, count } = unsent;
    const named = files.slice(0, MOST_NAMED).map(({ name }) => isolate(name));
    const rest = count - named.length;
    toast({
      title: `${formatPlural(count, "file")} ${count === 1 ? "was" : "were"} not uploaded`,
      description: named.join(", ") + (rest > 0 ? ` and ${rest} more` : ""),
      action: { title: "Choose again", run: chooseFiles },
      timeoutMs: 0,
    });
  }, [accountId]);
}
