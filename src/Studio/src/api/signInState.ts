// Whether the server has answered that it does not know who asks.

let isWanted = false;
const listeners = new Set<() => void>();

/** Whether a person should sign in. */
export function isSignInWanted(): boolean {
  return isWanted;
}

/** Calls a function when that changes; gives what ends it. */
export function watchSignIn(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Asks a person to sign in, or not any more. */
export function wantSignIn(wanted: boolean): void {
  if (wanted !== isWanted) {
    isWanted = wanted;
    for (const listener of listeners) {
      listener();
    }
  }
}
