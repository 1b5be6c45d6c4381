import { useState } from "react";
import { Chip } from "../../ui/chip";
import { CopyButton } from "../../ui/copy";
import { formatTime } from "../../ui/format";
import { Menu, type MenuEntry } from "../../ui/menu";
import { Empty } from "../../ui/states";
import {
  type ApiKey,
  type Certificate,
  clearanceRefusal,
  identityState,
  rightRows,
  type WhoAmI,
} from "./certificateModel";

function Rights({ of }: { of: { SecurityClearance: string; Permissions: Certificate["Permissions"] } }) {
  const rows = rightRows(of.Permissions ?? {});
  return (
    <>
      {of.SecurityClearance}
      {of.SecurityClearance === "ValidUser" && (
        <span className="muted">
          {rows.length === 0 ? ": no database" : `: ${rows.map((row) => `${row.database} ${row.right}`).join(", ")}`}
        </span>
      )}
    </>
  );
}

/** What may be done with one, or why it may not. */
function Actions({
  name,
  refusal,
  entries,
}: {
  name: string;
  refusal: string | undefined;
  entries: readonly MenuEntry[];
}) {
  return (
    <td className="actions">
      {refusal ? (
        <span className="muted" title={refusal}>
          not yours
        </span>
      ) : (
        <Menu name={`Actions of ${name}`} entries={entries} />
      )}
    </td>
  );
}

/** Certificates that the server trusts. */
export function CertificateList({
  all,
  who,
  onEdit,
  onDelete,
}: {
  all: readonly Certificate[];
  who: WhoAmI | undefined;
  onEdit: (one: Certificate) => void;
  onDelete: (one: Certificate) => void;
}) {
  const [now] = useState(() => Date.now());
  if (all.length === 0) {
    return (
      <Empty icon="key" title="No certificates">
        Programs and people show one that is registered here. Make one for each, so that each can end by itself.
      </Empty>
    );
  }
  return (
    <section className="scroll" aria-label="Certificates" tabIndex={0}>
      <table className="plain-table">
        <thead>
          <tr>
            <th>Name</th>
            <th>May</th>
            <th>State</th>
            <th>Ends</th>
            <th>Seen</th>
            <th>Thumbprint</th>
            <th>
              <span className="offscreen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {all.map((one) => {
            const state = identityState(one.NotAfter, false, now);
            return (
              <tr key={one.Thumbprint}>
                <th scope="row" className="break">
                  {one.Name}
                  {one.CollectionPrimaryKey && <span className="muted"> (a renewal)</span>}
                </th>
                <td className="break">
                  <Rights of={one} />
                </td>
                <td>
                  <Chip tone={state.tone}>{state.word}</Chip>
                </td>
                <td className="nowrap">{formatTime(one.NotAfter).slice(0, 10)}</td>
                <td className="nowrap muted">{one.LastSeenAt ? formatTime(one.LastSeenAt).slice(0, 16) : "never"}</td>
                <td className="nowrap">
                  <code title={one.Thumbprint}>{one.Thumbprint.slice(0, 8)}…</code>
                  <CopyButton text={one.Thumbprint}>Copy</CopyButton>
                </td>
                <Actions
                  name={one.Name}
                  refusal={clearanceRefusal(who, one.SecurityClearance)}
                  entries={[
                    { text: "Change what it may…", icon: "key", onSelect: () => onEdit(one) },
                    { text: "Delete…", icon: "trash", isDanger: true, onSelect: () => onDelete(one) },
                  ]}
                />
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

/** API keys; none of them has its secret here. */
export function ApiKeyList({
  all,
  who,
  onEdit,
  onRotate,
  onDelete,
}: {
  all: readonly ApiKey[];
  who: WhoAmI | undefined;
  onEdit: (one: ApiKey) => void;
  onRotate: (one: ApiKey) => void;
  onDelete: (one: ApiKey) => void;
}) {
  const [now] = useState(() => Date.now());
  if (all.length === 0) {
    return (
      <Empty icon="key" title="No API keys">
        A key is for tools, and for where a client certificate does not get through. It signs in to this Studio, too.
      </Empty>
    );
  }
  return (
    <section className="scroll" aria-label="API keys" tabIndex={0}>
      <table className="plain-table">
        <thead>
          <tr>
            <th>Name</th>
            <th>Id</th>
            <th>May</th>
            <th>State</th>
            <th>From</th>
            <th>Used</th>
            <th>
              <span className="offscreen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {all.map((one) => {
            const state = identityState(one.ExpiresAt, one.Disabled, now);
            return (
              <tr key={one.Id}>
                <th scope="row" className="break">
                  {one.Name}
                </th>
                <td>
                  <code>{one.Id}</code>
                </td>
                <td className="break">
                  <Rights of={one} />
                  {one.Scopes && one.Scopes.length > 0 && <span className="muted">{`, ${one.Scopes.join(", ")}`}</span>}
                </td>
                <td>
                  <Chip tone={state.tone}>{state.word}</Chip>
                </td>
                <td className="break">{one.AllowedAddresses?.join(", ") || "everywhere"}</td>
                <td className="nowrap muted">{one.LastUsedAt ? formatTime(one.LastUsedAt).slice(0, 16) : "never"}</td>
                <Actions
                  name={one.Name}
                  refusal={clearanceRefusal(who, one.SecurityClearance)}
                  entries={[
                    { text: "Change what it may…", icon: "key", onSelect: () => onEdit(one) },
                    { text: "Rotate…", icon: "refresh", onSelect: () => onRotate(one) },
                    { text: "Delete…", icon: "trash", isDanger: true, onSelect: () => onDelete(one) },
                  ]}
                />
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
