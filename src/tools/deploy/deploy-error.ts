/** An error that the person who deploys can repair. Its message explains how, and no stack is shown. */
export class DeployError extends Error {
  override readonly name = "DeployError";
}
