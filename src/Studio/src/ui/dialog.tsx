import { Dialog as Base } from "@base-ui/react/dialog";
import { type ReactNode, useState } from "react";
import { Button, type ButtonKind, IconButton } from "./button";
import { ErrorBox } from "./states";
import type { Task } from "./useTask";

/** A dialog over the page. */
export function Dialog({
  title,
  isOpen,
  onClose,
  children,
  wide,
}: {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  wide?: boolean;
}) {
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className={wide ? "dialog wide" : "dialog"}>
          <div className="dialog-head">
            <Base.Title>{title}</Base.Title>
            <IconButton name="Close" icon="close" onClick={onClose} />
          </div>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** A dialog with fields, and one button that does it. It closes when whoever shows it takes it away. */
export function FormDialog({
  title,
  task,
  refusal,
  action,
  kind = "primary",
  errorTitle,
  onSubmit,
  onClose,
  children,
}: {
  title: string;
  task: Task;
  /** Why it cannot be done now. */
  refusal?: string | undefined;
  /** The words of the button. */
  action: string;
  kind?: ButtonKind;
  /** What is said above an error. */
  errorTitle?: string;
  onSubmit: () => Promise<void>;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (refusal === undefined && !task.isBusy) {
            void onSubmit();
          }
        }}
      >
        {children}
        {task.error !== undefined && (
          <ErrorBox {...(errorTitle === undefined ? {} : { title: errorTitle })} error={task.error} />
        )}
        <div className="row end">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind={kind} type="submit" isBusy={task.isBusy} refusal={refusal}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Asks before something that cannot be undone. What cannot be undone is the first line. */
export function Confirm({
  title,
  first,
  children,
  action,
  typed,
  refusal: refused,
  isOpen,
  onClose,
  onConfirm,
}: {
  title: string;
  /** What cannot be undone. */
  first: string;
  children?: ReactNode;
  /** The words of the button: what is done, with its count. */
  action: string;
  /** What has to be typed, if the danger is great. */
  typed?: string;
  /** Why it cannot be done yet, besides that. */
  refusal?: string | undefined;
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => Promise<void>;
}) {
  const [text, setText] = useState("");
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const close = () => {
    setText("");
    setError(undefined);
    onClose();
  };
  const confirm = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await onConfirm();
      close();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  const refusal = refused ?? (typed !== undefined && text !== typed ? `Type ${typed} first.` : undefined);
  return (
    <Dialog title={title} isOpen={isOpen} onClose={close}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (refusal === undefined) {
            void confirm();
          }
        }}
      >
        <p>
          <strong>{first}</strong>
        </p>
        {children}
        {typed !== undefined && (
          <label className="field">
            <span>
              Type <code>{typed}</code>
            </span>
            <input
              value={text}
              onChange={(event) => setText(event.target.value)}
              autoComplete="off"
              spellCheck={false}
            />
          </label>
        )}
        {error !== undefined && <ErrorBox error={error} />}
        <div className="row end">
          <Button onClick={close}>Cancel</Button>
          <Button kind="danger" type="submit" isBusy={isBusy} refusal={refusal}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
