import { errorTable } from "../../domain/error-table.ts";
import { tierTable } from "../../domain/tier-table.ts";
import { limitTable } from "../../services/limit-table.ts";

/** The head of the API's description, in Markdown: everything that holds for all endpoints. */
export function describeApi(): string {
  return `Stores images and videos and serves each at a direct URL.

Send a key or a session's token as \`Authorization: Bearer ...\`. Every answer carries \`X-RateLimit-Limit\`,
\`X-RateLimit-Remaining\`, \`X-RateLimit-Reset\`, \`X-Operations-Used\`, \`X-Operations-Limit\`, \`X-Storage-Used\` and
\`X-Storage-Limit\`. Every error is \`{"error", "statusCode", "code", "details"}\`.

## Tiers

${tierTable()}

An upload and a deletion are one operation each, a view is a tenth of one. Only what succeeds counts. The month begins on the 1st for
Free, else on the day on which the paid tier began (on the last day of a month that has no such day), at midnight UTC. After a change of
tier the count continues until the new tier's first reset day that is a month or more after the count began.

## Files

A file's \`url\` is public. It answers \`Range: bytes=0-99\` with 206 and \`Content-Range\`, \`If-Range\`, \`HEAD\`, and
conditional requests by \`ETag\` and \`Last-Modified\`. Videos can be played and sought from it.

A **view** is a GET that answers 200, or 206 with the file's first byte. \`HEAD\`, 304, 416, later ranges and a player's probe
(\`bytes=0-1\`) do not count. A video's thumbnail counts like a file.

## Over a limit

| limit | what happens |
| --- | --- |
| requests a minute | 429 until the minute is over; \`details.reason\` is \`rate\` |
| operations a month | uploads and deletions are 429 until the month's end; \`details.reason\` is \`operations\`; other requests with a key run at a tenth of the rate; sessions keep their rate; files stay available |
| storage | uploads are 413; nothing is deleted, and files stay available |

## Limits

${limitTable()}

## Errors

${errorTable()}

## Rules of every endpoint

- An unknown field of a JSON body is 400, and so is an unknown query parameter. URLs of files ignore unknown parameters.
- A change without fields (\`{}\`) is 200 and changes nothing.
- A query parameter with an empty value counts as absent.
- \`"root"\` for a folder means none, in queries and in bodies, as null does in bodies.
- Ids are lower-case ULIDs, times ISO 8601 in UTC, sizes bytes; 1 GB is 1,073,741,824 bytes.
`;
}
