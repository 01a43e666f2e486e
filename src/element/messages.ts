/** The texts of the element. A page replaces them by the property `messages`, for example in another language. */
export const MESSAGES = {
  choose: "Choose files",
  chooseOne: "Choose a file",
  drop: "or drop them here",
  dropOne: "or drop it here",
  files: "Files",
  waiting: "Waiting",
  sending: "%s %",
  finishing: "Finishing",
  stored: "Uploaded",
  cancel: "Cancel %s",
  retry: "Try %s again",
  remove: "Remove %s",
  wasStored: "%s is uploaded",
  wasRefused: "%s was not uploaded: %s",
  wasCancelled: "%s is cancelled",
  tooMany: "At most %s files can be uploaded",
  tooLarge: "The file is larger than %s MB",
  wrongType: "Files of this type are not accepted",
  noNetwork: "The connection was lost. The upload continues when you try again.",
  ended: "Uploads here have ended",
  full: "No more files can be uploaded here",
  inProgress: "Wait until the files are uploaded",
  missing: "Choose a file",
};

export type Messages = Partial<Record<keyof typeof MESSAGES, string>>;

/** The message with its values in place of each `%s`. */
export function fill(message: string, ...values: readonly (string | number)[]): string {
  let at = 0;
  return message.replace(/%s/g, () => String(values[at++] ?? ""));
}
