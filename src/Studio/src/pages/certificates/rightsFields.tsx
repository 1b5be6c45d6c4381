import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { getJson } from "../../api/http";
import type { DatabaseList } from "../../api/types";
import { Button, IconButton } from "../../ui/button";
import {
  CLEARANCES,
  type Clearance,
  clearanceRefusal,
  RIGHTS,
  type Right,
  type RightRow,
  type WhoAmI,
} from "./certificateModel";

/** What the form of an identity has in common for certificates and keys. */
export interface IdentityDraft {
  readonly name: string;
  readonly clearance: Clearance;
  readonly rows: readonly RightRow[];
}

/** Fields of a name, a clearance, and rights in databases. */
export function RightsFields({
  draft,
  who,
  isKey,
  onChange,
}: {
  draft: IdentityDraft;
  who: WhoAmI | undefined;
  /** A key is an Operator at most. */
  isKey: boolean;
  onChange: (draft: IdentityDraft) => void;
}) {
  const list = useId();
  const databases = useQuery({
    queryKey: ["database-names"],
    queryFn: ({ signal }) => getJson<DatabaseList>("/studio/databases", { query: { pageSize: 256 }, signal }),
    retry: false,
  });
  const setRow = (at: number, row: RightRow) =>
    onChange({ ...draft, rows: draft.rows.map((one, index) => (index === at ? row : one)) });
  const clearances = CLEARANCES.filter((one) => !isKey || one === "ValidUser" || one === "Operator");
  return (
    <>
      <label className="field">
        <span>Name</span>
        <input
          value={draft.name}
          maxLength={256}
          autoComplete="off"
          spellCheck={false}
          required
          onChange={(event) => onChange({ ...draft, name: event.target.value })}
        />
      </label>
      <label className="field">
        <span>May on the server</span>
        <select
          value={draft.clearance}
          onChange={(event) => onChange({ ...draft, clearance: event.target.value as Clearance })}
        >
          {clearances.map((one) => (
            <option key={one} value={one} disabled={clearanceRefusal(who, one) !== undefined}>
              {CLEARANCE_WORDS[one]}
            </option>
          ))}
        </select>
      </label>
      {draft.clearance === "ValidUser" && (
        <fieldset>
          <legend>Databases</legend>
          {draft.rows.length === 0 && <p className="hint">None yet: it may sign in, and nothing more.</p>}
          {draft.rows.map((row, at) => (
            <div className="rights-row" key={at}>
              <input
                aria-label={`Database ${at + 1}`}
                list={list}
                value={row.database}
                spellCheck={false}
                autoComplete="off"
                onChange={(event) => setRow(at, { ...row, database: event.target.value })}
              />
              <select
                aria-label={`Right in database ${at + 1}`}
                value={row.right}
                onChange={(event) => setRow(at, { ...row, right: event.target.value as Right })}
              >
                {RIGHTS.map((right) => (
                  <option key={right} value={right}>
                    {right}
                  </option>
                ))}
              </select>
              <IconButton
                name={`Take database ${at + 1} out`}
                icon="close"
                onClick={() => onChange({ ...draft, rows: draft.rows.filter((_, index) => index !== at) })}
              />
            </div>
          ))}
          <datalist id={list}>
            {(databases.data?.Databases ?? []).map((one) => (
              <option key={one.Name} value={one.Name} />
            ))}
          </datalist>
          <div className="row">
            <Button
              icon="plus"
              onClick={() => onChange({ ...draft, rows: [...draft.rows, { database: "", right: "Read" }] })}
            >
              Database
            </Button>
          </div>
        </fieldset>
      )}
    </>
  );
}

const CLEARANCE_WORDS: Readonly<Record<Clearance, string>> = {
  ValidUser: "ValidUser: what it may in each database",
  Operator: "Operator: all databases, and who may use them",
  ClusterNode: "ClusterNode: another server",
  ClusterAdmin: "ClusterAdmin: everything",
};
