import { useSyncExternalStore } from "react";
import { ErrorBox } from "../ui/states";

interface Toast {
  readonly id: number;
  readonly title: string;
  readonly error: unknown;
}

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) {
    listener();
  }
}

/** Shows an error until it is dismissed. */
export function showError(title: string, error: unknown): void {
  change([...toasts, { id: ++lastId, title, error }]);
}

/** Errors that belong to no place of the page. They stand below the content and cover nothing. */
export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  return shown.length === 0 ? null : (
    <section className="toasts" aria-label="Errors">
      {shown.map((toast) => (
        <ErrorBox
          key={toast.id}
          title={toast.title}
          error={toast.error}
          onDismiss={() => change(toasts.filter((one) => one.id !== toast.id))}
        />
      ))}
    </section>
  );
}
