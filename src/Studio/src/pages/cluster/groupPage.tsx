import { useState } from "react";
import { Link } from "../../app/link";
import { useMay } from "../../app/pages";
import { databasePlace, placeUrl } from "../../app/places";
import { Button } from "../../ui/button";
import { formatCount, plural } from "../../ui/format";
import { Icon } from "../../ui/icon";
import { Menu, type MenuEntry } from "../../ui/menu";
import { ErrorBox, Loading } from "../../ui/states";
import {
  copyOf,
  type GroupHealth,
  type GroupNode,
  groupState,
  lagOf,
  mayBeginAnew,
  primaryRefusal,
  removalRefusal,
  roleOf,
} from "./clusterModel";
import { AddNode, BeginAnew, MakePrimary, Reorder, TakeOut } from "./groupDialogs";
import { SaidChip, Trouble } from "./saidChip";
import { SingleServer } from "./singleServer";
import { type Copies, useGroup } from "./useCluster";

/** What is open over the page. */
type Open =
  | { readonly what: "add" | "order" }
  | { readonly what: "primary" | "out" | "anew"; readonly node: GroupNode };

/** The nodes of one database: who is the primary, who has everything, how far the others are, and what can be done. */
export function GroupPage({ name }: { name: string }) {
  const [open, setOpen] = useState<Open>();
  const { health, group, copies } = useGroup(name);
  const mayChange = useMay("PUT /admin/databases/node");
  const close = () => setOpen(undefined);
  const again = () => void health.refetch();
  if (health.isPending) {
    return <Loading what={`the nodes of ${name}`} />;
  }
  if (health.data?.IsClustered === false) {
    return <SingleServer />;
  }
  if (!health.data || !group) {
    return <ErrorBox title={`The nodes of ${name} cannot be looked at`} error={health.error} onRetry={again} />;
  }
  const nodes = health.data.Nodes;
  return (
    <div className="page scroll">
      <div className="page-head">
        <Link
          className="button quiet"
          href={placeUrl("/cluster")}
          aria-label="The whole cluster"
          title="The whole cluster"
        >
          <Icon name="back" />
        </Link>
        <h1 className="ellipsis">Nodes of {group.Name}</h1>
        <SaidChip said={groupState(group)} />
        <span className="grow" />
        <Link className="button" href={placeUrl(databasePlace(group.Name))}>
          Open it
        </Link>
        {mayChange && (
          <>
            <Button
              refusal={group.Nodes.length < 2 ? "It is on one node." : undefined}
              onClick={() => setOpen({ what: "order" })}
            >
              Order
            </Button>
            <Button kind="primary" icon="plus" onClick={() => setOpen({ what: "add" })}>
              Add a node
            </Button>
          </>
        )}
      </div>
      {health.error && <ErrorBox error={health.error} onRetry={again} />}
      {(group.Hindrance !== null || group.Advice !== null) && (
        <div className="notice" role="status">
          <Icon name={group.Hindrance === null ? "info" : "alert"} />
          <p>
            <Trouble what={group.Hindrance} advice={group.Advice} />
          </p>
        </div>
      )}
      <dl className="facts">
        <dt>Primary</dt>
        <dd>{group.Primary === null ? "none yet" : `node ${group.Primary}`}</dd>
        <dt>A write needs</dt>
        <dd>{`${plural(group.MinInSync, "node")} with everything; it waits for all that are in sync`}</dd>
        <dt>Epoch</dt>
        <dd>{formatCount(group.Epoch)}</dd>
        <dt>Committed</dt>
        <dd>{group.Committed === null ? "not known here" : `transaction ${formatCount(group.Committed)}`}</dd>
      </dl>
      <section className="table-box" aria-label={`Nodes of ${group.Name}`} tabIndex={0}>
        <table className="plain-table roomy">
          <thead>
            <tr>
              <th>Node</th>
              <th>State</th>
              <th>Behind by</th>
              <th>Why not in sync</th>
              <th>
                <span className="offscreen">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {group.Nodes.map((node) => (
              <NodeRow
                key={node.NodeTag}
                group={group}
                node={node}
                copies={copies}
                mayChange={mayChange}
                onOpen={(what) => setOpen({ what, node })}
              />
            ))}
          </tbody>
        </table>
      </section>
      {open?.what === "add" && <AddNode group={group} nodes={nodes} onClose={close} onDone={again} />}
      {open?.what === "order" && <Reorder group={group} onClose={close} onDone={again} />}
      {open?.what === "primary" && <MakePrimary group={group} node={open.node} onClose={close} onDone={again} />}
      {open?.what === "out" && <TakeOut group={group} node={open.node} onClose={close} onDone={again} />}
      {open?.what === "anew" && <BeginAnew group={group} node={open.node} onClose={close} onDone={again} />}
    </div>
  );
}

function NodeRow({
  group,
  node,
  copies,
  mayChange,
  onOpen,
}: {
  group: GroupHealth;
  node: GroupNode;
  copies: Copies;
  mayChange: boolean;
  onOpen: (what: "primary" | "out" | "anew") => void;
}) {
  const copy = copyOf(copies.get(node.NodeTag), group.UsedBytes);
  return (
    <tr>
      <th scope="row">{node.NodeTag}</th>
      <td>
        <SaidChip said={roleOf(node)} />
      </td>
      <td className="nowrap">
        {copy === undefined ? (
          lagOf(node)
        ) : (
          <span className="row">
            <progress
              aria-label={`Copy of node ${node.NodeTag}`}
              {...(copy.share === undefined ? {} : { value: copy.share })}
            />
            {copy.text}
          </span>
        )}
      </td>
      <td className="sentence">{node.Why ?? ""}</td>
      <td className="actions">{mayChange && <NodeMenu node={node} entries={entriesOf(group, node, onOpen)} />}</td>
    </tr>
  );
}

function NodeMenu({ node, entries }: { node: GroupNode; entries: readonly MenuEntry[] }) {
  return entries.length === 0 ? null : <Menu name={`Actions of node ${node.NodeTag}`} entries={entries} />;
}

/** What can be done with a node now; what cannot is not offered. */
function entriesOf(
  group: GroupHealth,
  node: GroupNode,
  onOpen: (what: "primary" | "out" | "anew") => void,
): readonly MenuEntry[] {
  const entries: MenuEntry[] = [];
  if (node.NodeTag !== group.Primary && primaryRefusal(group, node) === undefined) {
    entries.push({ text: "Make it the primary…", icon: "play", onSelect: () => onOpen("primary") });
  }
  if (removalRefusal(group, node) === undefined) {
    entries.push({ text: "Take it out…", icon: "trash", isDanger: true, onSelect: () => onOpen("out") });
  }
  if (mayBeginAnew(group, node)) {
    entries.push({
      text: "Begin anew with what it has…",
      icon: "alert",
      isDanger: true,
      onSelect: () => onOpen("anew"),
    });
  }
  return entries;
}
