import { useEffect } from "react";

/** Has the browser ask before the page is left, while something on it would be lost. */
export function useLeaveQuestion(isNeeded: boolean): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    if (isNeeded) {
      window.addEventListener("beforeunload", ask);
    }
    return () => window.removeEventListener("beforeunload", ask);
  }, [isNeeded]);
}
