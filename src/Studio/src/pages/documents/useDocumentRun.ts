import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { type DocumentPage, type DocumentRow, type PagePlace, readPage } from "../../api/documents";
import { isAborted } from "../../api/http";
import type { GridHandle } from "../../grid/grid";
import { keepView, RowRun, type RunPage, type RunStep, readAbove } from "../../grid/rowRun";
import type { GridWindow } from "../../grid/scrollMath";

/** Rows of a request. */
const PAGE_SIZE = 100;
/** A drag of the scrollbar asks for a page at most so often. */
const PAUSE_MS = 100;

/** The documents of a collection as rows, read as they are seen. */
export function useDocumentRun(
  database: string,
  collection: string | undefined,
  fields: readonly string[],
  grid: RefObject<GridHandle | null>,
) {
  const [run, setRun] = useState<RowRun<DocumentRow>>();
  const [error, setError] = useState<unknown>();
  const [turn, setTurn] = useState(0);
  const state = useRef({ window: undefined as GridWindow | undefined, isBusy: false, run: undefined as typeof run });
  const fieldKey = fields.join("\n");

  const read = useCallback(
    async (place: PagePlace, signal: AbortSignal): Promise<RunPage<DocumentRow>> => {
      const chosen = fieldKey === "" ? [] : fieldKey.split("\n");
      return runPage(await readPage(database, collection, place, PAGE_SIZE, chosen, signal));
    },
    [database, collection, fieldKey],
  );

  useEffect(() => {
    const ending = new AbortController();
    const now = {
      window: undefined as GridWindow | undefined,
      isBusy: true,
      run: undefined as RowRun<DocumentRow> | undefined,
    };
    state.current = now;
    setError(undefined);
    const set = (next: RowRun<DocumentRow>) => {
      now.run = next;
      setRun(next);
    };
    read(undefined, ending.signal)
      .then((page) => {
        set(RowRun.first(page));
        grid.current?.show(0);
      })
      .catch((failure: unknown) => fail(failure, setError))
      .finally(() => {
        now.isBusy = false;
      });
    const timer = setInterval(() => {
      const step = now.run && now.window && !now.isBusy ? now.run.plan(now.window, PAGE_SIZE) : undefined;
      if (!step || !now.run) {
        return;
      }
      now.isBusy = true;
      const before = now.run;
      take(step, before, (place) => read(place, ending.signal))
        .then((next) => {
          const view = grid.current?.view();
          set(next);
          if (view) {
            grid.current?.show(keepView(view.position, view.height, before, next));
          }
          setError(undefined);
        })
        .catch((failure: unknown) => {
          now.window = undefined;
          fail(failure, setError);
        })
        .finally(() => {
          now.isBusy = false;
        });
    }, PAUSE_MS);
    return () => {
      clearInterval(timer);
      ending.abort();
    };
  }, [read, grid, turn]);

  const want = useCallback((window: GridWindow) => {
    state.current.window = window;
  }, []);
  const again = useCallback(() => setTurn((now) => now + 1), []);
  return { run, error, want, again };
}

async function take(
  step: RunStep,
  run: RowRun<DocumentRow>,
  read: (place: { before: number } | { at: number }) => Promise<RunPage<DocumentRow>>,
): Promise<RowRun<DocumentRow>> {
  switch (step.kind) {
    case "below":
      return run.append(await read({ before: step.before }));
    case "above": {
      const above = await readAbove(step, PAGE_SIZE, run.total, read);
      return run.prepend(above.rows, above.isTop, above.total);
    }
    default:
      return RowRun.jump(step, await read({ at: step.at }));
  }
}

function runPage(page: DocumentPage): RunPage<DocumentRow> {
  return { rows: page.rows, total: page.total, isLast: page.nextBefore === undefined };
}

function fail(failure: unknown, setError: (error: unknown) => void): void {
  if (!isAborted(failure)) {
    setError(failure);
  }
}
