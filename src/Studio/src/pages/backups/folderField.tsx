import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { databasePath, getJson } from "../../api/http";
import { formatBytes } from "../../ui/format";

interface Directory {
  readonly List: readonly {
    readonly FullPath: string;
    readonly FreeSpaceInBytes: number;
    readonly Error: string | null;
  }[];
}

/** A folder of the server's machine, and how much room there is. */
export function FolderField({
  database,
  value,
  onChange,
}: {
  /** Undefined for a task of the server: there each database gets a folder of its own. */
  database: string | undefined;
  value: string;
  onChange: (value: string) => void;
}) {
  const hint = useId();
  const path = value.trim();
  const room = useQuery({
    queryKey: ["backup-folder", database ?? "", path],
    queryFn: ({ signal }) =>
      getJson<Directory>(databasePath(database ?? "", "admin/backup-data-directory"), { query: { path }, signal }),
    // A path that is being typed is asked for when it could be one.
    enabled: database !== undefined && /^(\/|[A-Za-z]:[\\/])./.test(path),
    retry: false,
  });
  const found = room.data?.List[0];
  return (
    <label className="field">
      <span>Folder on the server's machine (a full path)</span>
      <input
        className="mono"
        value={value}
        placeholder="/var/backups/raven"
        autoComplete="off"
        spellCheck={false}
        aria-describedby={hint}
        onChange={(event) => onChange(event.target.value)}
      />
      <span id={hint} className={room.error ? "hint bad break" : "hint"}>
        {room.error
          ? room.error.message
          : found
            ? `${formatBytes(found.FreeSpaceInBytes)} are free there.`
            : database === undefined
              ? "Below it each database has a folder of its own."
              : "Its own folder below this one is made for each full backup."}
      </span>
    </label>
  );
}
