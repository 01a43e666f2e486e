import { useQueryClient } from "@tanstack/react-query";
import FolderInput from "lucide-react/icons/folder-input";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Folder, Settings } from "../../client/index.ts";
import { folderPaths } from "../api/folder-path.ts";
import { CopyButton } from "../design/copy-button.tsx";
import { formatBytes, formatCount, formatDate, formatDuration } from "../design/format.ts";
import { IconButton } from "../design/icon-button.tsx";
import { toExposureText } from "./exposure-text.ts";
import { type FileFacts, typeOf, utcOf } from "./file-facts.ts";
import styles from "./file-panel.module.css";
import { Place } from "./place.tsx";

interface InfoListProps {
  readonly file: FileFacts;
  readonly onMove: ((file: FileFacts) => void) | undefined;
  readonly onReplaced: (() => void) | undefined;
  /** The metadata that later uploads keep; undefined if it is not loaded. */
  readonly metadata: Settings["metadata"] | undefined;
}

export function InfoList({ file, onMove, onReplaced, metadata }: InfoListProps) {
  const { size, fileSize, originalFileSize = fileSize, compressed, compressionQuality, createdAt, durationMs } = file;
  const folders = useQueryClient().getQueryData<Folder[]>(["folders"]) ?? [];
  const rows: [string, ReactNode][] = [
    ["Type", typeOf(file)],
    ...(size.width > 0
      ? [["Dimensions", `${formatCount(size.width)} × ${formatCount(size.height)}`] as [string, ReactNode]]
      : []),
    ...(durationMs ? [["Duration", formatDuration(durationMs)] as [string, ReactNode]] : []),
    [
      "Stored",
      <>
        {formatBytes(fileSize)}
        {compressed && (
          <span className={styles.note}>
            was {formatBytes(originalFileSize)}
            {compressionQuality !== undefined && `, quality ${compressionQuality}`}
          </span>
        )}
      </>,
    ],
    [
      "Uploaded",
      <span key="uploaded" title={utcOf(createdAt)}>
        {formatDate(createdAt)}
        <span className={styles.note}>{new Date(createdAt).toLocaleTimeString("en-GB")}</span>
      </span>,
    ],
    [
      "Folder",
      <span key="folder">
        <Link className={styles.folder} href={`/library?folder=${file.folderId ?? "root"}`}>
          {nameOf(file.folderId, folders)}
        </Link>
        {onMove !== undefined && (
          <IconButton
            size="small"
            label="Move"
            keys="m"
            icon={FolderInput}
            className={styles.move}
            onClick={() => onMove(file)}
          />
        )}
      </span>,
    ],
    ...cameraRows(file),
    ...placeRow(file, onReplaced, metadata),
    ...thumbnailRow(file),
    [
      "Id",
      <span key="id" className={styles.id}>
        {file._id}
      </span>,
    ],
    ...(!file.sha256
      ? []
      : [
          [
            "SHA-256",
            <span key="sha256" className={styles.hash}>
              <code className={styles.id}>{file.sha256}</code>
              <CopyButton text={file.sha256} label="Copy SHA-256" iconOnly />
            </span>,
          ] as [string, ReactNode],
        ]),
  ];
  return (
    <dl className={styles.facts}>
      {rows.map(([name, value]) => (
        <div key={name} style={{ display: "contents" }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The facts that the camera wrote into the file. */
function cameraRows({ takenAt, camera, lens, exposure }: FileFacts): [string, ReactNode][] {
  return [
    ...(takenAt
      ? [
          [
            "Taken",
            <span key="taken" title={utcOf(takenAt)}>
              {formatDate(takenAt)}
              <span className={styles.note}>{new Date(takenAt).toLocaleTimeString("en-GB")}</span>
            </span>,
          ] as [string, ReactNode],
        ]
      : []),
    ...(camera ? [["Camera", camera] as [string, ReactNode]] : []),
    ...(lens ? [["Lens", lens] as [string, ReactNode]] : []),
    ...(exposure ? [["Exposure", toExposureText(exposure)] as [string, ReactNode]] : []),
  ];
}

/** Explains to the owner of a photo with other facts of its camera why it has no place. */
function placeRow(
  file: FileFacts,
  onReplaced: (() => void) | undefined,
  metadata: Settings["metadata"] | undefined,
): [string, ReactNode][] {
  const { location, compressed = false, takenAt, camera } = file;
  if (location) {
    return [["Place", <Place key={`place ${file._id}`} file={file} location={location} onReplaced={onReplaced} />]];
  }
  const isRemoved = compressed || (metadata !== undefined && metadata !== "keep");
  if (!isRemoved || !(takenAt || camera)) return [];
  return [
    [
      "Place",
      <span key="no-place">
        None
        <span className={styles.note}>
          {compressed ? (
            "Compression removes it."
          ) : (
            <Link className={styles.folder} href="/settings">
              Settings remove it from uploads.
            </Link>
          )}
        </span>
      </span>,
    ],
  ];
}

function thumbnailRow({ thumbnail, thumbnailReason }: FileFacts): [string, ReactNode][] {
  if (thumbnail === "pending") return [["Thumbnail", "Being created"]];
  if (thumbnail !== "none") return [];
  return [["Thumbnail", thumbnailReason === "no_frames" ? "None: no frames in the video" : "None: sound only"]];
}

function nameOf(id: string | null, folders: readonly Folder[]): string {
  return folderPaths(folders)(id).join(" / ") || (id === null ? "Root" : "Unknown folder");
}
