import type { z } from "@hono/zod-openapi";
import type { ExportLineSchema } from "../../contract/export.ts";
import { OPERATIONS, toOperations } from "../../domain/operations.ts";
import type { ExportRecord } from "../../services/accounts/export-account.ts";
import type { Operation, Upload } from "../../services/records.ts";
import { toAlertBody } from "../alerts/to-alert-body.ts";
import { toFolderBody } from "../folders/to-folder-body.ts";
import { toMediaObject } from "../images/to-media-object.ts";
import { toUploadResult } from "../images/to-upload-result.ts";
import { toKeyBody } from "../keys/to-key-body.ts";
import { toAccountBody } from "./to-account-body.ts";

type ExportLine = z.infer<typeof ExportLineSchema>;

/** A record as the export shows it. */
export function toExportLine(record: ExportRecord, cdnUrl: string): ExportLine {
  switch (record.type) {
    case "account":
      return { type: "account", ...toAccountBody(record.account) };
    case "settings":
      return { type: "settings", ...record.settings };
    case "key":
      return { type: "key", ...toKeyBody(record.key.key, record.key.lastUsedAt) };
    case "alert":
      return { type: "alert", ...toAlertBody(record.alert) };
    case "folder":
      return { type: "folder", ...toFolderBody(record.folder) };
    case "upload":
      return toUploadLine(record.upload, cdnUrl);
    case "operation":
      return toOperationLine(record.operation);
    case "end":
      return record;
  }
}

function toUploadLine(upload: Upload, cdnUrl: string): ExportLine {
  const { thumbnailUrl, status, favorite } = toMediaObject(upload, cdnUrl);
  return { type: "upload", ...toUploadResult(upload, cdnUrl), thumbnailUrl, status, favorite };
}

function toOperationLine({ type, at, resourceId, keyId }: Operation): ExportLine {
  const { class: operationClass, weightTenths } = OPERATIONS[type];
  return {
    type: "operation",
    operation: type,
    class: operationClass,
    weight: toOperations(weightTenths),
    timestamp: new Date(at).toISOString(),
    resourceId,
    keyId,
  };
}
