import { javascript } from "@codemirror/lang-javascript";
import { csharp } from "@replit/codemirror-lang-csharp";
import { useMemo } from "react";
import { CodeEditor } from "./codeEditor";

/** An editor of JavaScript or C#, by what the text looks like. */
export function ScriptEditor({
  name,
  initial,
  isReadOnly,
  onChange,
  onSave,
}: {
  name: string;
  initial: string;
  isReadOnly: boolean;
  onChange: (text: string) => void;
  onSave: () => void;
}) {
  const isCSharp = /^\s*(from\s+\w+\s+in\s|docs\b|results\b)/.test(initial);
  const language = useMemo(() => (isCSharp ? csharp() : javascript()), [isCSharp]);
  return (
    <CodeEditor
      name={name}
      initial={initial}
      language={language}
      isReadOnly={isReadOnly}
      onChange={onChange}
      keys={{ "Mod-s": onSave }}
    />
  );
}
