import { formatDuration } from "../../ui/format";
import { flameBars, type Timing } from "./queryModel";

const BAR_HEIGHT = 24;

/** Where the time went, as bars below each other; the same as a table for who cannot see bars. */
export function Flame({ root }: { root: Timing }) {
  const bars = flameBars(root);
  const depth = Math.max(...bars.map((bar) => bar.depth)) + 1;
  return (
    <section className="padded scroll" aria-label="Timings" tabIndex={0}>
      <div className="flame" style={{ height: depth * (BAR_HEIGHT + 2) }} aria-hidden="true">
        {bars.map((bar) => (
          <div
            key={`${bar.depth} ${bar.start} ${bar.name}`}
            className={`flame-bar tone-${bar.depth % 4}`}
            style={{
              left: `${bar.start * 100}%`,
              width: `${bar.length * 100}%`,
              top: bar.depth * (BAR_HEIGHT + 2),
              height: BAR_HEIGHT,
            }}
            title={`${bar.name}: ${formatDuration(bar.ms)}`}
          >
            {bar.name} {formatDuration(bar.ms)}
          </div>
        ))}
      </div>
      <table className="plain-table narrow">
        <thead>
          <tr>
            <th>Part</th>
            <th className="number">Time</th>
          </tr>
        </thead>
        <tbody>
          {bars.map((bar) => (
            <tr key={`${bar.depth} ${bar.start} ${bar.name}`}>
              <td>{`${"\u2003".repeat(bar.depth)}${bar.name}`}</td>
              <td className="number">{formatDuration(bar.ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
