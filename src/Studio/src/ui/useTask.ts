import { useState } from "react";

/** What a button of a form or a dialog begins. */
export interface Task {
  readonly isBusy: boolean;
  /** Why the last one failed; undefined if it did not. */
  readonly error: unknown;
  /** Runs something; a failure of it is the error from then on. */
  run(action: () => Promise<unknown>): Promise<void>;
  /** Forgets the error. */
  dismiss(): void;
}

/** The task of a form or a dialog: what runs, and what became of it. */
export function useTask(): Task {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const run = async (action: () => Promise<unknown>) => {
    setBusy(true);
    setError(undefined);
    try {
      await action();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, run, dismiss: () => setError(undefined) };
}
