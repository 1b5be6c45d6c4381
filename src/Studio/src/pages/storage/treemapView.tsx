import { useEffect, useMemo, useRef, useState } from "react";
import { formatBytes } from "../../ui/format";
import { type StructureGroup, structureKey } from "./storageModel";
import { treemap } from "./treemap";

const HEIGHT = 360;

/** A rectangle that is smaller has no room for its name. */
const NAMED_MIN = { width: 60, height: 22 };

/** About how wide a letter is. */
const NAME_WIDTH = 7.5;

/** Sizes as areas. The table below says the same, for whoever does not see it; there each row is reached by keys. */
export function TreemapView({
  groups,
  colors,
  chosen,
  onChoose,
}: {
  groups: readonly StructureGroup[];
  colors: ReadonlyMap<string, number>;
  chosen: string | undefined;
  onChoose: (key: string) => void;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const boxes = useMemo(() => {
    const outer = treemap(
      groups.map((group) => ({ key: group.name, size: group.size })),
      width,
      HEIGHT,
    );
    const byName = new Map(groups.map((group) => [group.name, group]));
    return outer.flatMap((place) => {
      const group = byName.get(place.key);
      const structures = new Map((group?.structures ?? []).map((one) => [structureKey(one), one]));
      return treemap(
        [...structures].map(([key, one]) => ({ key, size: one.SizeInBytes })),
        place.width,
        place.height,
      ).flatMap((inner) => {
        const structure = structures.get(inner.key);
        return structure ? [{ ...inner, x: place.x + inner.x, y: place.y + inner.y, group: place.key, structure }] : [];
      });
    });
  }, [groups, width]);
  return (
    <div className="treemap" ref={frame}>
      <svg role="img" aria-label="What takes the room in the data file; the table below says the same">
        {boxes.map((box) => (
          <g
            key={box.key}
            className={box.key === chosen ? "is-chosen" : undefined}
            onClick={() => onChoose(box.key)}
            aria-hidden="true"
          >
            <title>{`${box.structure.Name} (${box.structure.Kind}): ${formatBytes(box.structure.SizeInBytes)}`}</title>
            <rect
              className={`kind-${colors.get(box.group) ?? 4}`}
              x={box.x}
              y={box.y}
              width={box.width}
              height={box.height}
            />
            {box.width >= NAMED_MIN.width && box.height >= NAMED_MIN.height && (
              <svg x={box.x} y={box.y} width={box.width - 4} height={box.height} aria-hidden="true">
                <text x={6} y={16}>
                  {nameThatFits(box.structure.Name, box.width)}
                </text>
                {box.height >= 2 * NAMED_MIN.height && (
                  <text x={6} y={32}>
                    {formatBytes(box.structure.SizeInBytes)}
                  </text>
                )}
              </svg>
            )}
          </g>
        ))}
      </svg>
    </div>
  );
}

/** A name, or only its last part if there is no room for all of it. */
function nameThatFits(name: string, width: number): string {
  return name.length * NAME_WIDTH <= width ? name : (name.split(".").at(-1) ?? name);
}

/** The width of the inside of an element, as it changes. */
function useWidth(of: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = of.current?.firstElementChild;
    if (!element) {
      return undefined;
    }
    const observer = new ResizeObserver(() => setWidth(Math.floor(element.getBoundingClientRect().width)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [of]);
  return width;
}
