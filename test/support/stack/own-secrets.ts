// A stack has the secrets of `.dev.vars`, and the operator's commands take them from there. Tests in workerd, which may be
// projects of the same run, have set theirs for wrangler (`api-worker.ts`), and processes inherit them.
for (const name of ["JWT_SECRET", "ADMIN_TOKEN", "PREVIEW_SECRET"]) delete process.env[name];
