import { useQuery } from "@tanstack/react-query";
import X from "lucide-react/icons/x";
import { type KeyboardEvent, Suspense, useEffect, useRef, useState } from "react";
import type { VariantGeometry } from "../../../domain/variants/variant-geometry.ts";
import { usePresets } from "../../api/queries/presets.ts";
import { useSettings } from "../../api/queries/settings.ts";
import { CodeBlock } from "../../design/code-block.tsx";
import { FullDialog } from "../../design/full-dialog.tsx";
import { IconButton } from "../../design/icon-button.tsx";
import { lazyPart } from "../../design/lazy-part.tsx";
import { Problem } from "../../design/problem.tsx";
import { Segmented } from "../../design/segmented.tsx";
import { Skeleton } from "../../design/skeleton.tsx";
import { useObjectUrl } from "../../design/use-object-url.ts";
import { useSettled } from "../../design/use-settled.ts";
import { LinkButton } from "../../shell/link-button.tsx";
import { PassingBanners } from "../../shell/page-banners.tsx";
import { uncountedUrl } from "../download-file.ts";
import { type FileChange, type FileFacts, isVideo } from "../file-facts.ts";
import { isPrivate } from "../signed-link.ts";
import { type Choice, firstChoice, hasKnownPart, plan, queryOf, sourceSize } from "./choice.ts";
import { CropStage } from "./crop-stage.tsx";
import { FocalPointField } from "./focal-point-field.tsx";
import { Outputs } from "./outputs.tsx";
import { Result } from "./result.tsx";
import { SizeControls } from "./size-controls.tsx";
import styles from "./sizes-dialog.module.css";
import { useFocalPoint } from "./use-focal-point.ts";
import { isUnknown, useVariant } from "./use-variant.ts";

const Compare = lazyPart(() => import("../../design/compare.tsx"));

interface SizesDialogProps {
  readonly file: FileFacts;
  readonly change: FileChange;
  readonly onClose: () => void;
}

/** Chooses a size, crop and format of a file on its picture, and copies the code that shows it. */
export default function SizesDialog({ file, change, onClose }: SizesDialogProps) {
  const { data: settings, error: settingsError, refetch: refetchSettings } = useSettings();
  const { data: presets = [], error: presetsError, refetch: refetchPresets, isPending } = usePresets();
  const mode = settings?.variants;
  const isPresetOnly = mode === "presets";
  const [own, setChoice] = useState<Choice>(() => firstChoice(file));
  const known = presets.some(({ name }) => name === own.preset) ? own.preset : undefined;
  const choice: Choice = { ...own, preset: known ?? (isPresetOnly ? presets[0]?.name : undefined) };
  const focal = useFocalPoint(file, change);
  const [view, setView] = useState<"picture" | "compare">("picture");
  const stage = useRef<HTMLDivElement>(null);

  const shown = { ...file, focalPoint: focal.point ?? null };
  const canChoose = mode !== "off" && !(isPresetOnly && choice.preset === undefined);
  const planned = canChoose ? plan(shown, choice, { presets, isSigned: mode === "signed" }) : undefined;
  const isFilm = isVideo(file);
  const isOfThumbnail = isFilm && choice.frame === undefined;
  const isServed = mode === "open" || (isPresetOnly && choice.preset !== undefined);
  const wanted = isServed && planned !== undefined ? queryOf(planned.sizing) : undefined;
  const query = useSettled(wanted);
  const presetSize = choice.preset === undefined ? undefined : planned?.geometry.canvas;
  const made = useVariant(file, { query, isOfThumbnail, presetSize });
  const variant = query === wanted && !made.isPlaceholderData ? made.data : undefined;
  const { source, onBroken } = useSource(file, choice);

  const image = useRef<HTMLImageElement>(null);
  const isKnown = planned !== undefined && hasKnownPart(planned);
  const isCompared = view === "compare" && isServed && isKnown && !isFilm && made.data !== undefined;
  const before = useBefore(image, isCompared ? planned : undefined, query);
  const after = useObjectUrl(isCompared ? variant?.image : undefined);
  const isCrop = choice.preset === undefined && choice.fit === "crop";
  const part = isKnown ? planned.geometry.part : undefined;

  const close = () => {
    focal.save();
    onClose();
  };
  // The file's own keys rest, but Escape closes this dialog.
  const onKeyDown = (event: KeyboardEvent) => event.key !== "Escape" && event.stopPropagation();
  return (
    <FullDialog
      label={`Use ${file.prompt}`}
      onClose={close}
      onKeyDown={onKeyDown}
      initialFocus={stage}
      className={styles.dialog}
    >
      <PassingBanners />
      <div ref={stage} tabIndex={-1} className={styles.stage}>
        <header className={styles.bar}>
          <IconButton size="large" label="Close" keys="Escape" icon={X} onClick={close} />
          <h1>
            Use this {isFilm ? "video's picture" : "picture"}
            <span dir="auto">{file.prompt}</span>
          </h1>
          {!isFilm && isServed && isKnown && (
            <Segmented
              className={styles.views ?? ""}
              label="View"
              options={[
                { value: "picture", title: "Picture" },
                { value: "compare", title: "Before and after" },
              ]}
              value={view}
              onChange={setView}
            />
          )}
        </header>
        <div className={styles.shown}>
          <div className={isCompared && before !== undefined ? styles.hidden : undefined}>
            <CropStage
              source={source}
              alt={file.alt ?? file.prompt}
              size={sourceSize(file, choice)}
              part={part}
              point={isCrop ? (focal.point ?? MIDDLE) : undefined}
              onPoint={focal.move}
              onBroken={onBroken}
              imageRef={image}
            />
          </div>
          {isCompared && before !== undefined && (
            <Suspense fallback={null}>
              <Compare before={before} after={after} className={styles.compare} />
            </Suspense>
          )}
        </div>
      </div>
      <aside className={styles.panel} aria-label="Size and code">
        {settings === undefined && settingsError === null && (
          <>
            <Skeleton height={60} />
            <Skeleton height={60} />
          </>
        )}
        {settings === undefined && settingsError !== null && (
          <Problem
            error={settingsError}
            title="The settings could not be loaded"
            onRetry={() => void refetchSettings()}
          />
        )}
        {presetsError !== null && (
          <Problem error={presetsError} title="The presets could not be loaded" onRetry={() => void refetchPresets()} />
        )}
        {mode === "off" && (
          <>
            <Notice>Your settings serve no sizes, only the file itself.</Notice>
            {!isPrivate(file) && <CodeBlock code={file.url} label="URL of the file" />}
          </>
        )}
        {isPresetOnly && !isPending && (
          <Notice>
            {presets.length === 0
              ? "Your settings serve presets and signed sizes only, and there is no preset yet."
              : "Your settings serve presets and signed sizes only."}
          </Notice>
        )}
        {mode === "signed" && (
          <Notice>Your settings serve signed sizes only. Your server signs the URL with a signing key.</Notice>
        )}
        {planned !== undefined && mode !== undefined && (
          <Result
            file={file}
            variant={variant}
            choice={choice}
            planned={planned}
            presetSize={presetSize}
            isServed={isServed}
            isOffline={made.fetchStatus === "paused"}
            error={query === wanted ? made.error : null}
          />
        )}
        {mode !== undefined && mode !== "off" && (
          <>
            <SizeControls
              file={file}
              choice={choice}
              onChange={setChoice}
              presets={mode === "signed" ? [] : presets}
              isPresetOnly={isPresetOnly}
            />
            {isCrop && <FocalPointField point={file.focalPoint} isSaving={focal.isMoving} onRemove={focal.remove} />}
          </>
        )}
        {made.error !== null && isServed && !isUnknown(made.error, presetSize) && (
          <Problem error={made.error} title="This size could not be shown" onRetry={() => void made.refetch()} />
        )}
        {mode !== undefined && planned !== undefined && (
          <Outputs
            file={shown}
            choice={choice}
            planned={planned}
            presets={presets}
            isServed={isServed}
            isPrivate={isPrivate(file)}
          />
        )}
      </aside>
    </FullDialog>
  );
}

const MIDDLE = { x: 0.5, y: 0.5 };

function Notice({ children }: { readonly children: string }) {
  return (
    <div className={styles.notice}>
      <p>{children}</p>
      <LinkButton size="small" to="/settings">
        Settings
      </LinkButton>
    </div>
  );
}

/** The frame that the stage shows is one of the service's sizes, so that it is made once. */
const STAGE_WIDTH = 1280;

/** The address of the whole picture: of the image, of the video's thumbnail, or of its chosen frame. */
function useSource(file: FileFacts, choice: Choice) {
  const [isBroken, setBroken] = useState(false);
  const isFilm = isVideo(file);
  const address = useQuery({
    queryKey: ["whole-picture", file._id, file.url],
    queryFn: () => uncountedUrl(file),
    enabled: !isFilm,
    staleTime: 30 * 60_000,
  });
  const frame = useSettled(choice.frame);
  const wanted = isFilm && frame !== undefined ? queryOf({ frame, width: STAGE_WIDTH }) : undefined;
  const still = useVariant(file, { query: wanted, isOfThumbnail: false });
  const url = useObjectUrl(still.data?.image);
  const whole = isFilm ? (choice.frame === undefined ? file.previewUrl : url) : address.data;
  // The browser cannot decode the file, or its address has expired.
  return { source: (isBroken ? file.previewUrl : whole) ?? undefined, onBroken: () => setBroken(true) };
}

/** The object URL of the picture as it is before compression, in the size of the variant. */
function useBefore(
  image: { readonly current: HTMLImageElement | null },
  planned: ReturnType<typeof plan>,
  query: string | undefined,
): string | undefined {
  const [drawn, setDrawn] = useState<{ readonly query: string | undefined; readonly picture: Blob }>();
  const isNeeded = planned !== undefined && drawn?.query !== query;
  useEffect(() => {
    if (!isNeeded || image.current === null) return;
    let isOver = false;
    void drawPart(image.current, planned.geometry).then((picture) => {
      if (!isOver && picture !== undefined) setDrawn({ query, picture });
    });
    return () => {
      isOver = true;
    };
  }, [isNeeded, planned, query, image]);
  return useObjectUrl(drawn?.query === query ? drawn?.picture : undefined);
}

/**
 * Draws a loaded picture in a variant's size, as it is before compression.
 * @returns undefined if the picture is not loaded, or the browser has no memory for it
 */
async function drawPart(image: HTMLImageElement, geometry: VariantGeometry): Promise<Blob | undefined> {
  const { part, picture, canvas: size } = geometry;
  if (
    !(await image.decode().then(
      () => true,
      () => false,
    ))
  )
    return undefined;
  const canvas = Object.assign(document.createElement("canvas"), { width: size.width, height: size.height });
  const context = canvas.getContext("2d");
  if (context === null) return undefined;
  context.imageSmoothingQuality = "high";
  context.drawImage(
    image,
    ...[part.left, part.top, part.width, part.height],
    ...[size.left, size.top, picture.width, picture.height],
  );
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined)));
}
