import { type ReactNode, useEffect, useState } from "react";
import { Button } from "../../ui/button";
import { Chip } from "../../ui/chip";
import { ErrorBox } from "../../ui/states";
import {
  isRunning,
  type OperationState,
  operationKind,
  operationShare,
  operationTone,
  outcomeText,
  progressText,
} from "./operationModel";
import { killOperation, useOperation } from "./useOperation";

/** For how long an operation that the server does not know may still begin. */
const LATE_MS = 20_000;

/** An operation whose id the URL holds: how far it is, also after a reload, and what it ended with. */
export function OperationBar({
  database,
  id,
  title,
  mayBeLate: mayBeginLate = false,
  onClose,
  onEnd,
  children,
}: {
  /** Undefined for an operation of the server. */
  database: string | undefined;
  id: string;
  title: string;
  /** Whether the server may not know it yet. */
  mayBeLate?: boolean;
  onClose: () => void;
  onEnd?: (state: OperationState) => void;
  /** More of an operation that has ended. */
  children?: (state: OperationState) => ReactNode;
}) {
  const [mayBeLate, setMayBeLate] = useState(mayBeginLate);
  useEffect(() => {
    const timer = setTimeout(() => setMayBeLate(false), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  const state = useOperation(database, id, onEnd, mayBeLate);
  const [error, setError] = useState<unknown>();
  const now = state.data;
  if (!now) {
    const isLost = now === null && !mayBeLate;
    return state.error ? (
      <ErrorBox title={`${title}: its state cannot be read`} error={state.error} onDismiss={onClose} />
    ) : (
      <div className="bar" role="status">
        <strong>{title}</strong>
        <span className="muted">
          {isLost ? "The server does not know it: it has not begun, or is forgotten." : "is beginning…"}
        </span>
        <span className="grow" />
        {now === null && (
          <Button kind="quiet" icon="close" onClick={onClose}>
            Dismiss
          </Button>
        )}
      </div>
    );
  }
  const runs = isRunning(now);
  const share = operationShare(now);
  const { tone, word } = operationTone(now.Status);
  return (
    <>
      <div className="bar" role="status">
        <strong>{title}</strong>
        <Chip tone={tone}>{word}</Chip>
        {runs && <progress {...(share === undefined ? {} : { max: 1, value: share })} aria-label="Progress" />}
        <span className="break">
          {outcomeText(now) === "" ? progressText(now, operationKind(now).unit) : outcomeText(now)}
        </span>
        <span className="grow" />
        {runs ? (
          <Button icon="stop" onClick={() => void killOperation(database, id).catch(setError)}>
            Cancel
          </Button>
        ) : (
          <Button kind="quiet" icon="close" onClick={onClose}>
            Dismiss
          </Button>
        )}
      </div>
      {(error ?? state.error) != null && (
        <ErrorBox error={error ?? state.error} onDismiss={() => setError(undefined)} />
      )}
      {!runs && children?.(now)}
    </>
  );
}
