import { useQueryClient } from "@tanstack/react-query";
import FolderInput from "lucide-react/icons/folder-input";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Folder } from "../../client/index.ts";
import { folderPaths } from "../api/folder-path.ts";
import { formatBytes, formatCount, formatDate, formatDuration } from "../design/format.ts";
import { IconButton } from "../design/icon-button.tsx";
import { type FileFacts, typeOf, utcOf } from "./file-facts.ts";
import styles from "./file-panel.module.css";

interface InfoListProps {
  readonly file: FileFacts;
  readonly onMove: ((file: FileFacts) => void) | undefined;
}

export function InfoList({ file, onMove }: InfoListProps) {
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
    ...thumbnailRow(file),
    [
      "Id",
      <span key="id" className={styles.id}>
        {file._id}
      </span>,
    ],
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

function thumbnailRow({ thumbnail, thumbnailReason }: FileFacts): [string, ReactNode][] {
  if (thumbnail === "pending") return [["Thumbnail", "Being created"]];
  if (thumbnail !== "none") return [];
  return [["Thumbnail", thumbnailReason === "no_frames" ? "None: no frames in the video" : "None: sound only"]];
}

function nameOf(id: string | null, folders: readonly Folder[]): string {
  return folderPaths(folders)(id).join(" / ") || (id === null ? "Root" : "Unknown folder");
}
