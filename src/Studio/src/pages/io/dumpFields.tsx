import { DUMP_TYPES, type DumpChoice } from "./ioModel";

/** What is taken of a dump, or put into one. */
export function DumpFields({ choice, onChange }: { choice: DumpChoice; onChange: (choice: DumpChoice) => void }) {
  const set = (change: Partial<DumpChoice>) => onChange({ ...choice, ...change });
  return (
    <>
      <fieldset>
        <legend>What</legend>
        <div className="fields">
          {DUMP_TYPES.map(([name, word]) => (
            <label className="check" key={name}>
              <input
                type="checkbox"
                checked={choice.types.has(name)}
                onChange={(event) => {
                  const types = new Set(choice.types);
                  if (event.target.checked) {
                    types.add(name);
                  } else {
                    types.delete(name);
                  }
                  set({ types });
                }}
              />
              <span>{word}</span>
            </label>
          ))}
        </div>
        <p className="hint">Settings, indexes and subscriptions are those of an administrator of the database.</p>
      </fieldset>
      <label className="field">
        <span>Collections (with commas between them; empty: all)</span>
        <input
          value={choice.collections}
          spellCheck={false}
          onChange={(event) => set({ collections: event.target.value })}
        />
      </label>
      <div className="row">
        <label className="check">
          <input
            type="checkbox"
            checked={choice.includesExpired}
            onChange={(event) => set({ includesExpired: event.target.checked })}
          />
          <span>with documents that have expired</span>
        </label>
        <label className="check">
          <input
            type="checkbox"
            checked={choice.includesArchived}
            onChange={(event) => set({ includesArchived: event.target.checked })}
          />
          <span>with archived ones</span>
        </label>
      </div>
      <label className="field">
        <span>Script for each document (JavaScript; `this` is the document, throw 'skip' leaves it out)</span>
        <textarea
          className="mono"
          rows={3}
          value={choice.script}
          spellCheck={false}
          placeholder={'this.Source = "import";'}
          onChange={(event) => set({ script: event.target.value })}
        />
      </label>
    </>
  );
}
