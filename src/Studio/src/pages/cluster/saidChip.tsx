import { Chip } from "../../ui/chip";
import { roleOf, type Said } from "./clusterModel";

/** A state as its words, with the color and the drawing of what it means. */
export function SaidChip({ said, title }: { said: Said; title?: string | undefined }) {
  return (
    <Chip tone={said.tone} {...(title === undefined ? {} : { title })}>
      {said.text}
    </Chip>
  );
}

/** The nodes of a database, each with what it is. */
export function NodeChips({
  nodes,
}: {
  nodes: readonly {
    readonly NodeTag: string;
    readonly Role: Parameters<typeof roleOf>[0]["Role"];
    readonly IsAlive: boolean;
  }[];
}) {
  return (
    <span className="chips">
      {nodes.map((node) => {
        const { tone, text } = roleOf(node);
        return (
          <Chip key={node.NodeTag} tone={tone}>
            {node.NodeTag} {text}
          </Chip>
        );
      })}
    </span>
  );
}

/** What is wrong, and what to do about it. */
export function Trouble({ what, advice }: { what: string | null; advice: string | null }) {
  if (what === null && advice === null) {
    return null;
  }
  return (
    <>
      {what !== null && <span className="bad-text">{what}</span>} {advice !== null && <span>{advice}</span>}
    </>
  );
}
