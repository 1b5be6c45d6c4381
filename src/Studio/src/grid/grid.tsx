import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import {
  clampPosition,
  type GridSize,
  type GridWindow,
  moveBy,
  positionFor,
  positionOfScroll,
  rowOfKey,
  SPACER_MAX,
  scrollOfPosition,
  spacerHeight,
  windowAt,
} from "./scrollMath";

/** The height of a row, in pixels. */
export const ROW_HEIGHT = 28;
const LINE_HEIGHT = 40;
/** A line that is longer is no line of a table any more. */
const GROWN_MAX = 480;

/** A column of a grid. */
export interface GridColumn {
  readonly key: string;
  readonly title: string;
  /** In pixels. */
  readonly width: number;
  readonly isNumber?: boolean;
  /** Whether what stands in it may be longer: it takes its share of the room that is left, up to {@link GROWN_MAX}. */
  readonly mayGrow?: boolean;
}

/** What an owner may do with a grid. */
export interface GridHandle {
  /** The first row that is seen, with its fraction, and how many rows are seen. */
  view(): { position: number; height: number };
  /** Shows the rows at a position. */
  show(position: number): void;
  /** Moves the keyboard to the grid. */
  focus(): void;
}

interface GridProps {
  name: string;
  rows: number;
  columns: readonly GridColumn[];
  /** What a cell shows; undefined while its row is on its way. */
  cell: (row: number, column: GridColumn) => ReactNode | undefined;
  onWindow: (window: GridWindow) => void;
  onOpen?: (row: number) => void;
  /** Rows that are marked. */
  isMarked?: (row: number) => boolean;
  onMark?: (row: number) => void;
  handle?: Ref<GridHandle>;
}

/** Rows of any number; only those that are seen are drawn. The arrow keys, Home, End and the pages walk it. */
export function Grid({ name, rows, columns, cell, onWindow, onOpen, isMarked, onMark, handle }: GridProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const setScroll = useRef(0);
  const id = useId();
  const [viewport, setViewport] = useState(0);
  const [wanted, setPosition] = useState(0);
  const [active, setActive] = useState(0);
  const size: GridSize = { rows, rowHeight: ROW_HEIGHT, viewport };
  const position = clampPosition(wanted, size);
  const window = windowAt(position, size);
  const latest = useRef({ size, position });
  latest.current = { size, position };

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) {
      return undefined;
    }
    const measure = () => setViewport(Math.max(0, element.clientHeight - ROW_HEIGHT));
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element && viewport > 0) {
      element.scrollTop = scrollOfPosition(position, latest.current.size);
      setScroll.current = element.scrollTop;
    }
  }, [position, viewport, rows]);

  const { first, end } = window;
  useEffect(() => {
    if (viewport > 0) {
      onWindow({ first, end, offset: 0 });
    }
  }, [first, end, viewport, onWindow]);

  useScrollByRows(scroller, latest, setPosition);
  useImperativeHandle(handle, () => ({
    view: () => ({ position: latest.current.position, height: latest.current.size.viewport / ROW_HEIGHT }),
    show: setPosition,
    focus: () => scroller.current?.focus(),
  }));

  const onKey = (event: KeyboardEvent) => {
    if (event.target !== scroller.current || event.altKey || event.metaKey) {
      return;
    }
    const row = rowOfKey(event.key, active, size);
    if (row !== undefined) {
      event.preventDefault();
      setActive(row);
      setPosition(positionFor(row, position, size));
    } else if (event.key === "Enter" && onOpen && rows > 0) {
      event.preventDefault();
      onOpen(active);
    } else if (event.key === " " && onMark && rows > 0) {
      event.preventDefault();
      onMark(active);
    }
  };
  const width = columns.reduce((sum, column) => sum + column.width, 0);
  const template = columns
    .map(({ width: own, mayGrow }) => (mayGrow ? `minmax(${own}px, ${GROWN_MAX}px)` : `${own}px`))
    .join(" ");
  const lines: ReactNode[] = [];
  for (let row = window.first; row < window.end; row++) {
    const isMarkedRow = isMarked?.(row) ?? false;
    lines.push(
      <div
        key={row}
        id={`${id}-${row}`}
        role="row"
        aria-rowindex={row + 2}
        aria-selected={onMark ? isMarkedRow : undefined}
        className={`grid-row${row === active ? " is-active" : ""}${isMarkedRow ? " is-marked" : ""}`}
        style={{ gridTemplateColumns: template, top: (row - window.first) * ROW_HEIGHT }}
        onPointerDown={() => setActive(row)}
        onDoubleClick={() => onOpen?.(row)}
      >
        {columns.map((column) => {
          const content = cell(row, column);
          return (
            <div key={column.key} role="gridcell" className={column.isNumber ? "number" : undefined}>
              {content === undefined ? <span className="on-its-way" /> : content}
            </div>
          );
        })}
      </div>,
    );
  }
  return (
    <div
      className="grid"
      ref={scroller}
      role="grid"
      aria-label={name}
      aria-rowcount={rows + 1}
      aria-colcount={columns.length}
      aria-activedescendant={active >= window.first && active < window.end ? `${id}-${active}` : undefined}
      tabIndex={0}
      onKeyDown={onKey}
      onScroll={(event) => {
        const top = event.currentTarget.scrollTop;
        if (Math.abs(top - setScroll.current) > 1) {
          setPosition(positionOfScroll(top, size));
        }
      }}
    >
      <div className="grid-spacer" style={{ height: spacerHeight(size) + ROW_HEIGHT, width }}>
        <div className="grid-layer" style={{ height: Math.min(viewport, spacerHeight(size)) + ROW_HEIGHT }}>
          <div role="rowgroup">
            <div role="row" aria-rowindex={1} className="grid-head" style={{ gridTemplateColumns: template }}>
              {columns.map((column) => (
                <div
                  key={column.key}
                  role="columnheader"
                  className={column.isNumber ? "number" : undefined}
                  title={column.title}
                >
                  {column.title}
                </div>
              ))}
            </div>
          </div>
          <div role="rowgroup" className="grid-body">
            <div role="presentation" className="grid-rows" style={{ transform: `translateY(${window.offset}px)` }}>
              {lines}
            </div>
          </div>
        </div>
      </div>
    </div>
  );
}

/** Where a pixel of the scrollbar stands for several rows, the wheel and the finger move by pixels of rows. */
function useScrollByRows(
  scroller: { readonly current: HTMLDivElement | null },
  latest: { readonly current: { size: GridSize; position: number } },
  setPosition: (position: number) => void,
): void {
  const move = useCallback(
    (pixels: number) => setPosition(moveBy(latest.current.position, pixels, latest.current.size)),
    [latest, setPosition],
  );
  useEffect(() => {
    const element = scroller.current;
    if (!element) {
      return undefined;
    }
    const isCapped = () => latest.current.size.rows * ROW_HEIGHT > SPACER_MAX;
    let touched: number | undefined;
    const onWheel = (event: WheelEvent) => {
      if (isCapped() && !event.ctrlKey && event.deltaY !== 0) {
        event.preventDefault();
        const unit = event.deltaMode === 0 ? 1 : event.deltaMode === 1 ? LINE_HEIGHT : latest.current.size.viewport;
        move(event.deltaY * unit);
      }
    };
    const onTouch = (event: TouchEvent) => {
      const y = event.touches[0]?.clientY;
      if (isCapped() && event.type === "touchmove" && touched !== undefined && y !== undefined) {
        event.preventDefault();
        move(touched - y);
      }
      touched = y;
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    element.addEventListener("touchstart", onTouch, { passive: true });
    element.addEventListener("touchmove", onTouch, { passive: false });
    return () => {
      element.removeEventListener("wheel", onWheel);
      element.removeEventListener("touchstart", onTouch);
      element.removeEventListener("touchmove", onTouch);
    };
  }, [scroller, latest, move]);
}
