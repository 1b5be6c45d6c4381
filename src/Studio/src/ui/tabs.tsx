import { Tabs as Base } from "@base-ui/react/tabs";
import type { ReactNode } from "react";

/** One tab with what it shows. */
export interface TabEntry {
  readonly key: string;
  readonly title: string;
  readonly content: () => ReactNode;
}

/** Tabs; which one is open is its owner's, so that the URL can hold it. */
export function Tabs({
  name,
  value,
  onChange,
  entries,
}: {
  name: string;
  value: string;
  onChange: (key: string) => void;
  entries: readonly TabEntry[];
}) {
  return (
    <Base.Root className="tabs" value={value} onValueChange={(next) => onChange(String(next))}>
      <Base.List className="tab-list" aria-label={name}>
        {entries.map((entry) => (
          <Base.Tab key={entry.key} value={entry.key} className="tab">
            {entry.title}
          </Base.Tab>
        ))}
      </Base.List>
      {entries.map((entry) => (
        <Base.Panel key={entry.key} value={entry.key} className="tab-panel">
          {entry.key === value && entry.content()}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
