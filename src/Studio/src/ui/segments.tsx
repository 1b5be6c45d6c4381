/** Buttons of which one is chosen. */
export function Segments({
  name,
  choices,
  chosen,
  onChoose,
}: {
  /** What is chosen, for who does not see them. */
  name: string;
  choices: readonly { readonly key: string; readonly title: string }[];
  chosen: string;
  onChoose: (key: string) => void;
}) {
  return (
    <div className="segments" role="group" aria-label={name}>
      {choices.map(({ key, title }) => (
        <button key={key} type="button" aria-pressed={chosen === key} onClick={() => onChoose(key)}>
          {title}
        </button>
      ))}
    </div>
  );
}
