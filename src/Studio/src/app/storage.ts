// What the browser keeps is a convenience: where it refuses (private windows, a full disk) the page goes on without.

const PREFIX = "raven-studio.";

/** Reads a text that this browser keeps. */
export function readLocal(key: string): string | undefined {
  try {
    return localStorage.getItem(PREFIX + key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a text, or forgets it. Gives whether it is kept. */
export function writeLocal(key: string, text: string | undefined): boolean {
  try {
    if (text === undefined) {
      localStorage.removeItem(PREFIX + key);
    } else {
      localStorage.setItem(PREFIX + key, text);
    }
    return true;
  } catch {
    return false;
  }
}

/** The keys with a prefix that this browser keeps. */
export function localKeys(prefix: string): string[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX + prefix))
      .map((key) => key.slice(PREFIX.length));
  } catch {
    return [];
  }
}

/** Forgets all that this browser keeps for the Studio. */
export function forgetLocal(): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(PREFIX)) {
        localStorage.removeItem(key);
      }
    }
  } catch {
    // Nothing was kept.
  }
}
