import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../../api/http";
import { Link } from "../../app/link";
import { databasePlace, placeUrl, useSearchState, useSetSearch } from "../../app/places";
import { Button } from "../../ui/button";
import { Chip } from "../../ui/chip";
import { formatBytes, formatCount, formatTime, plural } from "../../ui/format";
import { Segments } from "../../ui/segments";
import { Empty, ErrorBox, Loading } from "../../ui/states";
import { OperationBar } from "../operations/operationBar";
import type { OperationState } from "../operations/operationModel";
import { type RestorePoint, type S3Settings, s3Of } from "./backupModel";
import { RestoreDialog } from "./restoreDialog";
import { S3Fields } from "./s3Fields";

/** The most points that are drawn, the newest first. */
const SHOWN_MAX = 500;

/** Makes a database out of a backup, under a name that none has. */
export function RestorePage() {
  const { folder = "", from = "folder", operation, name = "" } = useSearchState();
  const setSearch = useSetSearch();
  const client = useQueryClient();
  const [typed, setTyped] = useState(folder);
  // Secrets of a bucket stay in the page: no URL has them.
  const [s3, setS3] = useState<S3Settings>({});
  const [asked, setAsked] = useState<S3Settings>();
  const [chosen, setChosen] = useState<RestorePoint>();
  const isS3 = from === "s3";
  const points = useQuery({
    queryKey: isS3 ? ["restore-points", "s3", asked] : ["restore-points", folder],
    queryFn: async ({ signal }) => {
      const answer = await send("POST", "/admin/restore/points", {
        query: { type: isS3 ? "S3" : "Local" },
        body: isS3 ? s3Of(asked ?? {}) : { FolderPath: folder },
        isSecret: isS3,
        signal,
      });
      const { List } = JSON.parse(answer.text) as { List: readonly RestorePoint[] };
      return [...List].sort((a, b) => (a.DateTime < b.DateTime ? 1 : -1));
    },
    enabled: isS3 ? asked !== undefined : folder !== "",
    retry: false,
  });
  const look = () => {
    if (isS3) {
      setAsked({ ...s3 });
    } else if (typed.trim() === folder) {
      void points.refetch();
    } else {
      setSearch({ folder: typed.trim() }, true);
    }
  };
  return (
    <div className="page">
      <div className="page-head">
        <h1>Restore</h1>
        <Segments
          name="From"
          choices={[
            { key: "folder", title: "from a folder" },
            { key: "s3", title: "from a bucket" },
          ]}
          chosen={from}
          onChoose={(key) => setSearch({ from: key === "folder" ? undefined : key })}
        />
        <span className="hint">Nothing that is there is changed: a backup becomes a database under a new name.</span>
      </div>
      {operation && (
        <OperationBar
          key={operation}
          database={undefined}
          id={operation}
          title={`Restore of ${name}`}
          onClose={() => setSearch({ operation: undefined, name: undefined })}
          onEnd={() => void client.invalidateQueries({ queryKey: ["databases"] })}
        >
          {(state) => <Restored state={state} name={name} />}
        </OperationBar>
      )}
      <div className="scroll" tabIndex={-1}>
        <form
          className="form"
          onSubmit={(event) => {
            event.preventDefault();
            if (isS3 ? (s3.BucketName ?? "") !== "" : typed.trim() !== "") {
              look();
            }
          }}
        >
          {isS3 ? (
            <S3Fields value={s3} onChange={setS3} />
          ) : (
            <label className="field">
              <span>Folder of backups on the server's machine</span>
              <input
                className="mono"
                value={typed}
                placeholder="/var/backups/raven/shop"
                autoComplete="off"
                spellCheck={false}
                onChange={(event) => setTyped(event.target.value)}
              />
            </label>
          )}
          <div className="row">
            <Button type="submit" kind="primary" icon="search" isBusy={points.isFetching}>
              Look for backups
            </Button>
          </div>
        </form>
        {points.error && <ErrorBox title="No backups were read" error={points.error} onRetry={look} />}
        {points.isLoading && <Loading what="the backups" />}
        {points.data && <Points all={points.data} onChoose={setChosen} />}
        {!points.data && !points.error && !points.isLoading && (
          <Empty icon="history" title="What can be restored">
            Name the folder that a task backs up to: each time that can be restored from it stands here then.
          </Empty>
        )}
      </div>
      {chosen && (
        <RestoreDialog
          key={`${chosen.Location}/${chosen.FileName}`}
          point={chosen}
          s3={isS3 ? asked : undefined}
          onClose={() => setChosen(undefined)}
          onStarted={(id, database) => {
            setChosen(undefined);
            setSearch({ operation: String(id), name: database }, true);
          }}
        />
      )}
    </div>
  );
}

function Points({ all, onChoose }: { all: readonly RestorePoint[]; onChoose: (point: RestorePoint) => void }) {
  if (all.length === 0) {
    return (
      <Empty icon="history" title="There is no backup">
        Nothing in it has the name of a backup, or none is whole.
      </Empty>
    );
  }
  return (
    <section className="scroll" aria-label="What can be restored" tabIndex={0}>
      <table className="plain-table">
        <thead>
          <tr>
            <th>As of</th>
            <th>Database</th>
            <th>Kind</th>
            <th className="number">Size</th>
            <th className="number">Files</th>
            <th>
              <span className="offscreen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {all.slice(0, SHOWN_MAX).map((point) => (
            <tr key={`${point.Location}/${point.FileName}`}>
              <th scope="row" className="nowrap">
                {formatTime(point.DateTime)}
              </th>
              <td>{point.DatabaseName}</td>
              <td>
                {point.IsIncremental ? "incremental" : "full"}{" "}
                {point.IsEncrypted && (
                  <Chip tone="info" icon="lock">
                    encrypted
                  </Chip>
                )}
              </td>
              <td className="number">{formatBytes(point.SizeInBytes)}</td>
              <td className="number">{formatCount(point.FilesToRestore)}</td>
              <td className="actions">
                <Button
                  icon="reset"
                  aria-label={`Restore ${point.DatabaseName} as of ${formatTime(point.DateTime)}`}
                  onClick={() => onChoose(point)}
                >
                  Restore…
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {all.length > SHOWN_MAX && (
        <p className="muted padded">{`${formatCount(all.length - SHOWN_MAX)} older ones more.`}</p>
      )}
    </section>
  );
}

function Restored({ state, name }: { state: OperationState; name: string }) {
  if (state.Status !== "Completed") {
    return <p className="padded">There is no database {name}: nothing is left of it.</p>;
  }
  const { Documents, SecretsToEnter } = (state.Result ?? {}) as {
    Documents?: number;
    SecretsToEnter?: readonly string[];
  };
  return (
    <div className="padded stack">
      <p>
        <Link href={placeUrl(databasePlace(name))}>{name}</Link> is there
        {Documents === undefined ? "" : `, with ${plural(Documents, "document")}`}. Its indexes are built anew.
      </p>
      {SecretsToEnter && SecretsToEnter.length > 0 && (
        <p>
          <strong>No backup has secrets. Enter these again:</strong> {SecretsToEnter.join(", ")}
        </p>
      )}
    </div>
  );
}
