/** The field that narrows the list of a page; the key / goes to it. */
export function FilterInput({
  name = "Filter by name",
  hint = "Filter",
  initial,
  onChange,
}: {
  /** What it narrows by, for who does not see it. */
  name?: string;
  hint?: string;
  initial: string;
  onChange: (text: string) => void;
}) {
  return (
    <input
      className="filter"
      data-filter
      type="search"
      aria-label={name}
      placeholder={hint}
      spellCheck={false}
      defaultValue={initial}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
