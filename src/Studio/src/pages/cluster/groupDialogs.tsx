import { useState } from "react";
import { send } from "../../api/http";
import { announce } from "../../app/announcer";
import { IconButton } from "../../ui/button";
import { Confirm, FormDialog } from "../../ui/dialog";
import { plural } from "../../ui/format";
import { useTask } from "../../ui/useTask";
import { type GroupHealth, type GroupNode, listOf, lossOf, moved, type NodeHealth } from "./clusterModel";

interface DialogProps {
  readonly group: GroupHealth;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** One more node for a database. */
export function AddNode({ group, nodes, onClose, onDone }: DialogProps & { readonly nodes: readonly NodeHealth[] }) {
  const task = useTask();
  const free = nodes.filter((node) => !group.Nodes.some((one) => one.NodeTag === node.NodeTag));
  const living = free.filter((node) => node.IsAlive);
  const [tag, setTag] = useState("");
  return (
    <FormDialog
      title={`Add a node to ${group.Name}`}
      task={task}
      action="Add it"
      errorTitle="The node was not added"
      refusal={living.length === 0 ? "Each node that is alive has the database already." : undefined}
      onClose={onClose}
      onSubmit={() =>
        task.run(async () => {
          await send("PUT", "/admin/databases/node", { query: { name: group.Name, node: tag || undefined } });
          announce(tag === "" ? "A node is added: it gets a copy." : `Node ${tag} is added: it gets a copy.`);
          onDone();
          onClose();
        })
      }
    >
      {living.length === 0 ? (
        <p>
          Each node of the cluster that is alive has it already. Start another server with Cluster.Node and the etcd of
          this cluster: it joins by itself.
        </p>
      ) : (
        <>
          <label className="field">
            <span>Node</span>
            <select value={tag} onChange={(event) => setTag(event.target.value)}>
              <option value="">the one with the fewest databases</option>
              {living.map((node) => (
                <option key={node.NodeTag} value={node.NodeTag}>
                  {`${node.NodeTag} · ${node.Url}`}
                </option>
              ))}
            </select>
          </label>
          <p className="hint">It gets a copy while writes go on, and counts as soon as it has everything.</p>
        </>
      )}
    </FormDialog>
  );
}

/** In which order clients are told of the nodes. */
export function Reorder({ group, onClose, onDone }: DialogProps) {
  const task = useTask();
  const [order, setOrder] = useState<readonly string[]>(group.Nodes.map((node) => node.NodeTag));
  const move = (from: number, to: number) => {
    const tag = order[from];
    setOrder(moved(order, from, to));
    announce(`Node ${tag} is number ${to + 1} of ${order.length}.`);
  };
  return (
    <FormDialog
      title={`Order of the nodes of ${group.Name}`}
      task={task}
      action="Save the order"
      errorTitle="The order was not changed"
      onClose={onClose}
      onSubmit={() =>
        task.run(async () => {
          await send("POST", "/admin/databases/reorder", {
            query: { name: group.Name },
            body: { MembersOrder: order },
          });
          announce(`The order is ${listOf(order)}.`);
          onDone();
          onClose();
        })
      }
    >
      <p className="hint">Clients are told of the primary first, and of the others in this order.</p>
      <ol className="order-list">
        {order.map((tag, at) => (
          <li key={tag} className="row">
            <span className="grow">{tag}</span>
            <IconButton
              name={`Move ${tag} up`}
              icon="chevronUp"
              refusal={at === 0 ? "It is the first." : undefined}
              onClick={() => move(at, at - 1)}
            />
            <IconButton
              name={`Move ${tag} down`}
              icon="chevronDown"
              refusal={at === order.length - 1 ? "It is the last." : undefined}
              onClick={() => move(at, at + 1)}
            />
          </li>
        ))}
      </ol>
    </FormDialog>
  );
}

/** Another primary, without a loss. */
export function MakePrimary({ group, node, onClose, onDone }: DialogProps & { readonly node: GroupNode }) {
  const task = useTask();
  return (
    <FormDialog
      title={`Make ${node.NodeTag} the primary of ${group.Name}`}
      task={task}
      action={`Make ${node.NodeTag} the primary`}
      onClose={onClose}
      onSubmit={() =>
        task.run(async () => {
          await send("POST", "/admin/databases/primary", { query: { name: group.Name, node: node.NodeTag } });
          announce(`Node ${node.NodeTag} is the primary of ${group.Name}.`);
          onDone();
          onClose();
        })
      }
    >
      <p>
        Nothing is lost: node {group.Primary} waits until {node.NodeTag} has its last write, and hands over. Writes wait
        for that long, mostly some tenths of a second. If {node.NodeTag} does not take over in time, {group.Primary}{" "}
        goes on.
      </p>
    </FormDialog>
  );
}

/** One node less. */
export function TakeOut({ group, node, onClose, onDone }: DialogProps & { readonly node: GroupNode }) {
  const [isHard, setHard] = useState(false);
  const left = group.Nodes.length - 1;
  return (
    <Confirm
      title={`Take ${node.NodeTag} out of ${group.Name}`}
      isOpen
      first={
        left === 1
          ? `${group.Name} is on one node then: what that one loses is lost.`
          : `${group.Name} is on ${plural(left, "node")} then.`
      }
      action={isHard ? `Take ${node.NodeTag} out, and delete its files` : `Take ${node.NodeTag} out`}
      {...(isHard || left === 1 ? { typed: group.Name } : {})}
      onClose={onClose}
      onConfirm={async () => {
        await send("DELETE", "/admin/databases", {
          body: { DatabaseNames: [group.Name], HardDelete: isHard, FromNodes: [node.NodeTag] },
        });
        announce(`Node ${node.NodeTag} does not have ${group.Name} any more.`);
        onDone();
      }}
    >
      <p>The others have everything that it has, as far as they are in sync. It can be added again, with a new copy.</p>
      <label className="check">
        <input type="checkbox" checked={isHard} onChange={(event) => setHard(event.target.checked)} />
        <span>Delete its files there, too</span>
      </label>
    </Confirm>
  );
}

/** Another history, with what one node has: for when the others are lost for good. */
export function BeginAnew({ group, node, onClose, onDone }: DialogProps & { readonly node: GroupNode }) {
  const [isKnown, setKnown] = useState(false);
  const others = group.Nodes.filter((one) => one.NodeTag !== node.NodeTag).map((one) => one.NodeTag);
  return (
    <Confirm
      title={`Begin ${group.Name} anew with what ${node.NodeTag} has`}
      isOpen
      first={`Acknowledged writes may be lost, and there is no way back. ${lossOf(group, node)}`}
      action="Begin anew, and lose what only others have"
      typed={group.Name}
      refusal={isKnown ? undefined : "Say first that the others are lost."}
      onClose={onClose}
      onConfirm={async () => {
        await send("POST", "/admin/databases/promote", {
          query: { name: group.Name, node: node.NodeTag, acceptDataLoss: true },
        });
        announce(`${group.Name} begins anew on node ${node.NodeTag}.`);
        onDone();
      }}
    >
      <p>
        If {others.length === 0 ? "the lost nodes" : listOf(others)} can be brought back, bring one back instead: then
        nothing is lost, and nothing has to be done here.
      </p>
      <p>
        Nodes that come back later get the pages of {node.NodeTag}. What they had is kept aside in their folders; nobody
        merges it.
      </p>
      <label className="check">
        <input type="checkbox" checked={isKnown} onChange={(event) => setKnown(event.target.checked)} />
        <span>The other nodes are lost for good, or what only they have may be lost</span>
      </label>
    </Confirm>
  );
}
