import { useState } from "react";
import { send } from "../../api/http";
import { announce } from "../../app/announcer";
import { useMay } from "../../app/pages";
import { Confirm } from "../../ui/dialog";
import { formatBytes } from "../../ui/format";
import { Menu } from "../../ui/menu";
import { type ClusterHealth, type NodeHealth, nodeState, type StoreHealth, storeState } from "./clusterModel";
import { SaidChip, Trouble } from "./saidChip";

const VOICES: Readonly<Record<NodeHealth["Role"], string>> = {
  Member: "votes",
  Promotable: "will vote",
  Watcher: "looks on",
};

/** The nodes of the cluster: where each is, whether it lives, and how it finds etcd. */
export function NodeTable({
  health,
  stores,
  onChanged,
}: {
  health: ClusterHealth;
  stores: ReadonlyMap<string, StoreHealth | null>;
  onChanged: () => void;
}) {
  const [leaving, setLeaving] = useState<NodeHealth>();
  const mayChange = useMay("DELETE /admin/cluster/node");
  return (
    <section className="table-box" aria-label="Nodes" tabIndex={0}>
      <table className="plain-table roomy">
        <thead>
          <tr>
            <th>Node</th>
            <th>Address</th>
            <th>State</th>
            <th>Voice</th>
            <th>Version</th>
            <th>etcd</th>
            <th>What to do</th>
            <th>
              <span className="offscreen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {health.Nodes.map((node) => {
            const store = stores.get(node.NodeTag) ?? null;
            return (
              <tr key={node.NodeTag}>
                <th scope="row" className="nowrap">
                  {node.NodeTag}
                  {node.NodeTag === health.NodeTag && <span className="muted"> (here)</span>}
                </th>
                <td className="mono nowrap">{node.Url}</td>
                <td>
                  <SaidChip said={nodeState(node)} />
                </td>
                <td>{VOICES[node.Role] ?? node.Role}</td>
                <td>{node.Version ?? "–"}</td>
                <td>
                  <SaidChip said={storeState(store)} title={storeTitle(store)} />
                </td>
                <td className="sentence">
                  <Trouble what={node.Hindrance} advice={node.Advice} />{" "}
                  {store && <Trouble what={store.Problem} advice={store.Advice} />}
                </td>
                <td className="actions">
                  {mayChange && health.Nodes.length > 1 && (
                    <Menu
                      name={`Actions of node ${node.NodeTag}`}
                      entries={[
                        {
                          text: "Take it out of the cluster…",
                          icon: "trash",
                          isDanger: true,
                          onSelect: () => setLeaving(node),
                        },
                      ]}
                    />
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {leaving && <LeaveDialog node={leaving} onClose={() => setLeaving(undefined)} onDone={onChanged} />}
    </section>
  );
}

function storeTitle(store: StoreHealth | null): string | undefined {
  if (store === null) {
    return "The node does not say it now.";
  }
  const whose = store.IsManaged ? "its own" : "one that it was given";
  return [`etcd ${store.Version ?? ""}`.trim(), whose, store.SizeInBytes === null ? "" : formatBytes(store.SizeInBytes)]
    .filter((part) => part !== "")
    .join(" · ");
}

function LeaveDialog({ node, onClose, onDone }: { node: NodeHealth; onClose: () => void; onDone: () => void }) {
  return (
    <Confirm
      title={`Take node ${node.NodeTag} out of the cluster`}
      isOpen
      first="It leaves all databases: each is on one node less then. Its files stay on its machine."
      action={`Take ${node.NodeTag} out`}
      typed={node.NodeTag}
      onClose={onClose}
      onConfirm={async () => {
        await send("DELETE", "/admin/cluster/node", { query: { nodeTag: node.NodeTag } });
        announce(`Node ${node.NodeTag} is out of the cluster.`);
        onDone();
      }}
    >
      <p>
        Databases of which it is the primary are refused: make another node their primary first. A node that has lost
        its disk comes back under another tag.
      </p>
    </Confirm>
  );
}
