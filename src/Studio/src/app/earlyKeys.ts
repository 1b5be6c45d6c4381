import { type RefObject, useEffect, useRef } from "react";

/**
 * What is typed between the wish for the palette and the moment in which it can take keys: its part may be on its way.
 * It would be lost, or be taken for shortcuts of the page.
 */
export function useEarlyKeys(isWanted: boolean): RefObject<string> {
  const typed = useRef("");
  useEffect(() => {
    typed.current = "";
    if (!isWanted) {
      return;
    }
    const onKey = (event: KeyboardEvent) => {
      const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (isText && !document.activeElement?.closest(".palette")) {
        event.preventDefault();
        event.stopPropagation();
        typed.current += event.key;
      }
    };
    window.addEventListener("keydown", onKey, true);
    return () => window.removeEventListener("keydown", onKey, true);
  }, [isWanted]);
  return typed;
}
