import { type ReactNode, useEffect, useState } from "react";
import { ServerError } from "../api/http";
import { Button } from "./button";
import { CopyButton } from "./copy";
import { Icon } from "./icon";
import type { IconName } from "./iconPaths";

/** Nothing is here yet: what it is, and one thing to do. */
export function Empty({
  icon,
  title,
  children,
  action,
}: {
  icon: IconName;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="state">
      <Icon name={icon} size={32} />
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action}
    </div>
  );
}

/** What is on its way: nothing for 150 ms, so that quick answers do not flicker. */
export function Loading({ what, rows = 6 }: { what: string; rows?: number }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 150);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="skeleton" role="status">
      <span className="offscreen">Loading {what}</span>
      {isShown && Array.from({ length: rows }, (_, at) => <div key={at} aria-hidden="true" />)}
    </div>
  );
}

/** What went wrong, all of it, to be read, copied and tried again. */
export function ErrorBox({
  error,
  title,
  onRetry,
  onDismiss,
}: {
  error: unknown;
  title?: string;
  onRetry?: () => void;
  onDismiss?: () => void;
}) {
  const server = error instanceof ServerError ? error : undefined;
  const message = error instanceof Error ? error.message : String(error);
  const wait = useCountdown(server?.retryAfterSec);
  return (
    <div className="error-box" role="alert">
      <Icon name="alert" />
      <div className="error-text">
        <strong>{title ?? titleOf(server)}</strong>
        <pre>{message}</pre>
        {server && server.status > 0 && (
          <p className="muted">
            {server.status} · {server.type}
          </p>
        )}
        {server?.status === 403 && (
          <p>The right that it takes stands above. An administrator of the server gives it.</p>
        )}
        <div className="row">
          {onRetry && (
            <Button icon="refresh" onClick={onRetry}>
              {wait > 0 ? `Try again (the server asks for ${wait} s)` : "Try again"}
            </Button>
          )}
          <CopyButton text={() => server?.report ?? message} />
          {onDismiss && (
            <Button kind="quiet" icon="close" onClick={onDismiss}>
              Dismiss
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}

function titleOf(error: ServerError | undefined): string {
  if (error?.isDatabaseMissing) {
    return "There is no such database";
  }
  if (error?.isWithoutNode) {
    return "Nothing was done: no node can do it now";
  }
  if (error?.isPerhapsDone) {
    return "Perhaps it was done: look before you try again";
  }
  switch (error?.status) {
    case 0:
      return "No answer";
    case 401:
      return "Sign in first";
    case 403:
      return "Not allowed";
    case 404:
      return "Not there";
    case 409:
      return "Conflict";
    case 503:
      return "Not available now";
    default:
      return "It failed";
  }
}

function useCountdown(seconds: number | undefined): number {
  const [left, setLeft] = useState(seconds ?? 0);
  useEffect(() => {
    setLeft(seconds ?? 0);
    const timer = seconds ? setInterval(() => setLeft((now) => Math.max(0, now - 1)), 1000) : undefined;
    return () => clearInterval(timer);
  }, [seconds]);
  return left;
}
