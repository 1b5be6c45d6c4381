import { unifiedMergeView } from "@codemirror/merge";
import { useMemo } from "react";
import { CodeEditor } from "./codeEditor";
import { jsonLanguage } from "./jsonLanguage";

/** Two versions of a text, one in the other: what went and what came. */
export function DiffView({ name, before, after }: { name: string; before: string; after: string }) {
  const language = useMemo(
    () => [
      jsonLanguage,
      unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: { margin: 3, minSize: 6 } }),
    ],
    [before],
  );
  return <CodeEditor key={`${before}\0${after}`} name={name} initial={after} language={language} isReadOnly />;
}
