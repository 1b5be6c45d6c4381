import { Link } from "../../app/link";
import { placeUrl } from "../../app/places";
import { formatCount } from "../../ui/format";
import { type GroupHealth, groupState } from "./clusterModel";
import { NodeChips, SaidChip, Trouble } from "./saidChip";

/** The place of the nodes of a database. */
export function groupUrl(database: string): string {
  return placeUrl("/cluster", { name: database });
}

/** The databases of the cluster: who keeps each, and how they are. */
export function GroupTable({ groups }: { groups: readonly GroupHealth[] }) {
  return (
    <section className="table-box" aria-label="Databases" tabIndex={0}>
      <table className="plain-table roomy">
        <thead>
          <tr>
            <th>Database</th>
            <th>State</th>
            <th>Nodes</th>
            <th className="number">Epoch</th>
            <th>What to do</th>
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <tr key={group.Name}>
              <th scope="row" className="ellipsis">
                <Link href={groupUrl(group.Name)}>{group.Name}</Link>
              </th>
              <td>
                <SaidChip said={groupState(group)} />
              </td>
              <td>
                <NodeChips nodes={group.Nodes} />
              </td>
              <td className="number">{formatCount(group.Epoch)}</td>
              <td className="sentence">
                <Trouble what={group.Hindrance} advice={group.Advice} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
