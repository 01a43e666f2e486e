/** What the person who deploys can mend: its message says how, and no stack is shown. */
export class DeployError extends Error {
  override readonly name = "DeployError";
}
