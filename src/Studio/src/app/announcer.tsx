import { useSyncExternalStore } from "react";

let said = { text: "", turn: 0 };
const listeners = new Set<() => void>();

/** Says something to readers of the screen, politely. */
export function announce(text: string): void {
  said = { text, turn: said.turn + 1 };
  for (const listener of listeners) {
    listener();
  }
}

/** The one live region of the page. */
export function Announcer() {
  const now = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => said,
  );
  // The same text twice is said twice: a blank more makes it another one.
  return (
    <div className="offscreen" role="status" aria-live="polite">
      {now.text + "\u00a0".repeat(now.turn % 2)}
    </div>
  );
}
