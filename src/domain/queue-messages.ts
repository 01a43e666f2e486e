/** What the queues carry: past-tense facts, one tagged union. */

/** A view of a stored file that counts as a Class B operation; sent by the CDN Worker. Times in milliseconds. */
export interface FileViewed {
  readonly type: "file.viewed";
  /** The same for whatever was sent of one view. CDN Workers of an earlier version have none. */
  readonly viewId?: string;
  readonly accountId: string;
  readonly objectKey: string;
  readonly viewedAt: number;
}

/** A video was stored and settled; whoever makes its thumbnail starts from this. */
export interface UploadStored {
  readonly type: "upload.stored";
  readonly accountId: string;
  readonly uploadId: string;
  readonly objectKey: string;
  readonly mimeType: string;
}

export type QueueMessage = FileViewed | UploadStored;
