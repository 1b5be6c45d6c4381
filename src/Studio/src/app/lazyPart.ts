import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { showError } from "./toasts";

/**
 * A part of a page that is loaded when it is first needed. If it cannot be, as the server was replaced by another
 * version, that is said, and the page with what was typed on it stays.
 */
export function lazyPart<P>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> {
  return lazy(() =>
    load().then(
      (part) => ({ default: part }),
      (error: unknown) => {
        showError(
          "A part of this page is of another version of the server: save what you have, then load it again",
          error,
        );
        return { default: Nothing };
      },
    ),
  );
}

function Nothing(): null {
  return null;
}
