import { useState } from "react";
import { databasePath, send } from "../../api/http";
import type { IndexStats } from "../../api/types";
import { announce } from "../../app/announcer";
import { showError } from "../../app/toasts";
import { Confirm } from "../../ui/dialog";
import { plural } from "../../ui/format";
import { Menu, type MenuEntry } from "../../ui/menu";

/** What can be done to an index. What takes long to come back asks for its name. */
export function IndexMenu({
  database,
  stats,
  onDone,
  onDeleted,
}: {
  database: string;
  stats: IndexStats;
  onDone: () => void;
  onDeleted?: () => void;
}) {
  const [asked, setAsked] = useState<"reset" | "delete">();
  const act = (what: string, method: string, path: string, body?: object) => () => {
    send(method, databasePath(database, path), { query: body ? {} : { name: stats.Name }, ...(body ? { body } : {}) })
      .then(() => announce(`${stats.Name}: ${what}.`))
      .catch((error: unknown) => showError(`${stats.Name}: not ${what}`, error))
      .finally(onDone);
  };
  const isPaused = stats.Status === "Paused";
  const isDisabled = stats.State === "Disabled" || stats.Status === "Disabled";
  const lock = (Mode: string) => act(`lock ${Mode}`, "POST", "indexes/set-lock", { IndexNames: [stats.Name], Mode });
  const priority = (Priority: string) =>
    act(`priority ${Priority}`, "POST", "indexes/set-priority", { IndexNames: [stats.Name], Priority });
  const entries: MenuEntry[] = [
    isPaused
      ? { text: "Go on", icon: "play", onSelect: act("running", "POST", "admin/indexes/start") }
      : {
          text: "Pause until the server restarts",
          icon: "pause",
          onSelect: act("paused", "POST", "admin/indexes/stop"),
        },
    isDisabled
      ? { text: "Enable", icon: "play", onSelect: act("enabled", "POST", "admin/indexes/enable") }
      : { text: "Disable", icon: "stop", onSelect: act("disabled", "POST", "admin/indexes/disable") },
    ...["Unlock", "LockedIgnore", "LockedError"]
      .filter((mode) => mode !== stats.LockMode)
      .map((mode): MenuEntry => ({ text: `Lock: ${mode}`, icon: "lock", onSelect: lock(mode) })),
    ...["Low", "Normal", "High"]
      .filter((one) => one !== stats.Priority)
      .map((one): MenuEntry => ({ text: `Priority: ${one}`, icon: "activity", onSelect: priority(one) })),
    { text: "Build it again…", icon: "reset", isDanger: true, onSelect: () => setAsked("reset") },
    { text: "Delete…", icon: "trash", isDanger: true, onSelect: () => setAsked("delete") },
  ];
  return (
    <>
      <Menu name={`Actions of ${stats.Name}`} entries={entries} />
      <Confirm
        title={`Build ${stats.Name} again`}
        isOpen={asked === "reset"}
        first={`Its ${plural(stats.EntriesCount, "entry", "entries")} are dropped and made again; until then queries of it wait or are stale.`}
        action="Build it again"
        typed={stats.Name}
        onClose={() => setAsked(undefined)}
        onConfirm={async () => {
          await send("RESET", databasePath(database, "indexes"), { query: { name: stats.Name } });
          announce(`${stats.Name} is built again.`);
          onDone();
        }}
      />
      <Confirm
        title={`Delete ${stats.Name}`}
        isOpen={asked === "delete"}
        first={`Its definition and its ${plural(stats.EntriesCount, "entry", "entries")} are deleted. Queries that name it fail.`}
        action="Delete it"
        onClose={() => setAsked(undefined)}
        onConfirm={async () => {
          await send("DELETE", databasePath(database, "indexes"), { query: { name: stats.Name } });
          announce(`${stats.Name} is deleted.`);
          (onDeleted ?? onDone)();
        }}
      />
    </>
  );
}
