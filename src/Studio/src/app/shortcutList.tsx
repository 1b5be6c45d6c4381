import { useState } from "react";
import { Dialog } from "../ui/dialog";
import { areSingleKeysOn, SHORTCUTS, setSingleKeys } from "./shortcuts";

/** The keys that do something. */
export function ShortcutList({ onClose }: { onClose: () => void }) {
  const [isOn, setOn] = useState(areSingleKeysOn);
  return (
    <Dialog title="Keyboard" isOpen onClose={onClose}>
      <dl className="keys">
        {SHORTCUTS.map(({ keys, does, isSingle }) => (
          <div key={keys} className={isSingle && !isOn ? "off" : ""}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label className="check">
        <input
          type="checkbox"
          checked={isOn}
          onChange={(event) => {
            setOn(event.target.checked);
            setSingleKeys(event.target.checked);
          }}
        />
        <span>Keys without Ctrl do something</span>
      </label>
    </Dialog>
  );
}
