import { Component, type ErrorInfo, type ReactNode } from "react";
import { Button } from "../design/button.tsx";
import { Empty } from "../design/empty.tsx";

interface State {
  readonly error?: unknown;
}

/** A page that broke, or whose code could not be loaded, offers to be loaded anew; the rest goes on. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = {};

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo): void {
    console.error(error, componentStack);
  }

  override render(): ReactNode {
    if (!("error" in this.state)) return this.props.children;
    const isLost = /import|module|preload|CSS/i.test(String(this.state.error));
    return (
      <Empty
        title={isLost ? "This page could not be loaded" : "This page broke"}
        action={
          <Button tone="main" onClick={() => location.reload()}>
            Reload
          </Button>
        }
      >
        {isLost ? "There may be a new version, or no connection." : "The error is in the browser's console."}
      </Empty>
    );
  }
}
