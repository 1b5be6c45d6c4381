import { Menu as Base } from "@base-ui/react/menu";
import { Icon } from "./icon";
import type { IconName } from "./iconPaths";

/** One line of a menu. */
export interface MenuEntry {
  readonly text: string;
  readonly icon?: IconName;
  readonly isDanger?: boolean;
  readonly onSelect: () => void;
}

/** A button that opens a list of actions. */
export function Menu({
  name,
  icon = "more",
  text,
  entries,
}: {
  name: string;
  icon?: IconName;
  text?: string;
  entries: readonly MenuEntry[];
}) {
  return (
    <Base.Root>
      <Base.Trigger className="button quiet" aria-label={text ? undefined : name} title={name}>
        <Icon name={icon} />
        {text && <span>{text}</span>}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="end" className="positioner">
          <Base.Popup className="menu">
            {entries.map((entry) => (
              <Base.Item key={entry.text} className={entry.isDanger ? "danger" : ""} onClick={entry.onSelect}>
                {entry.icon && <Icon name={entry.icon} />}
                <span>{entry.text}</span>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
