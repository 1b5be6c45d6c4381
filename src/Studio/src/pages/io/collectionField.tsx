/** The collection that imported documents get. */
export function CollectionField({ value, onChange }: { value: string; onChange: (collection: string) => void }) {
  return (
    <label className="field">
      <span>Collection (empty: as @metadata.@collection says)</span>
      <input value={value} spellCheck={false} onChange={(event) => onChange(event.target.value)} />
    </label>
  );
}
