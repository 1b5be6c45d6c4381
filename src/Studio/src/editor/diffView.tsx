import { unifiedMergeView } from "@codemirror/merge";
import { useMemo } from "react";
import { CodeEditor } from "./codeEditor";
import type { Extension } from "./codemirror";
import { jsonLanguage } from "./jsonLanguage";

/** Two versions of a text, one in the other: what went and what came. */
export function DiffView({
  name,
  before,
  after,
  language = jsonLanguage,
}: {
  name: string;
  before: string;
  after: string;
  language?: Extension;
}) {
  const extensions = useMemo(
    () => [
      language,
      unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: { margin: 3, minSize: 6 } }),
    ],
    [before, language],
  );
  return <CodeEditor key={`${before}\0${after}`} name={name} initial={after} language={extensions} isReadOnly />;
}
