import { findAccount } from "../../db/directory/accounts.ts";
import { findReport } from "../../db/directory/reports.ts";
import type { Account, Report } from "../../db/directory/schema.ts";
import type { Upload } from "../../db/library/schema.ts";
import { findUpload } from "../../db/library/uploads.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { Suspension } from "../../meter/books/suspension-store.ts";
import { openLibrary, type Services } from "../context.ts";
import { signUncountedUrls, type UncountedUrls } from "../previews/preview-urls.ts";

export interface ReportedFile {
  readonly report: Report;
  /** Undefined if the report's URL is of no file, or the account is gone. */
  readonly account: Account | undefined;
  readonly suspension: Suspension | undefined;
  /** Undefined if the upload is gone. */
  readonly upload: Upload | undefined;
  /** URLs of the picture and of the file that count no view. They open private files, too. */
  readonly urls: UncountedUrls;
}

/**
 * A report with the file that it is about, for the decision.
 * @throws ServiceError 404 if there is no such report
 */
export async function getReportedFile(services: Services, reportId: string): Promise<ReportedFile> {
  const report = await findReport(services.directory, reportId);
  if (report === undefined) throw ERRORS.ReportNotFound();
  const nothing = { report, account: undefined, suspension: undefined, upload: undefined, urls: {} };
  if (report.accountId === null) return nothing;
  const account = await findAccount(services.directory, report.accountId);
  if (account === undefined || account.email.startsWith("erased:")) return nothing;
  const [library, suspension] = await Promise.all([
    openLibrary(services, account.id),
    services.meterOf(account.id).suspension(),
  ]);
  const upload =
    library === undefined || report.uploadId === null
      ? undefined
      : await findUpload(library, account.id, report.uploadId);
  const urls = upload === undefined ? {} : await (await signUncountedUrls(services))(upload);
  return { report, account, suspension, upload, urls };
}
