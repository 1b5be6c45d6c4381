import { describe, expect, test } from "vitest";
import {
  isRunning,
  type OperationState,
  operationKind,
  operationShare,
  operationTone,
  outcomeText,
  progressText,
} from "../src/pages/operations/operationModel";
import {
  areSame,
  databaseSettings,
  isOfSettingsFilter,
  MASK,
  type SettingsReport,
  settingRows,
  withSetting,
} from "../src/pages/settings/settingsModel";
import { groupColors, structureGroup, structureGroups } from "../src/pages/storage/storageModel";
import { treemap } from "../src/pages/storage/treemap";
import { FUZZ, Random, SEED } from "./random";

const plain = (text: string) => text.replaceAll("\u2009", " ");

describe("operations", () => {
  const state = (Status: string, Progress: object, Result: object | null = null): OperationState => ({
    Status,
    Progress: Progress as OperationState["Progress"],
    Result: Result as OperationState["Result"],
  });

  test("how far: a share only if the end is known, and all of it only when it is completed", () => {
    const cases = [
      state("InProgress", { Processed: 10, Total: 40 }),
      state("InProgress", { Processed: 10, Total: 10 }),
      state("InProgress", {}),
      state("Completed", { Processed: 10, Total: 10 }, {}),
      state("Canceled", { Processed: 10, Total: 40 }),
      state("Faulted", {}),
    ];
    expect(cases.map(operationShare)).toEqual([0.25, undefined, undefined, 1, 0.25, undefined]);
    expect(cases.map(isRunning)).toEqual([true, true, true, false, false, false]);
  });

  test("its words: bytes of a backup, documents of an import, the reason of a failure", () => {
    const backup = state("InProgress", { Processed: 1024, Total: 4096, Messages: [] });
    const imported = state("Completed", { Processed: 1059, Total: 1059, RevisionDocuments: {} }, {});
    const restored = state("Completed", { Processed: 1, Files: ["a"], Messages: [] }, {});
    expect([backup, imported, restored, state("InProgress", {})].map((one) => operationKind(one).name)).toEqual([
      "Backup",
      "Import or export",
      "Restore or verification",
      "Operation",
    ]);
    expect(plain(progressText(backup, operationKind(backup).unit))).toBe("1.0 KiB of 4.0 KiB");
    expect(plain(progressText(imported, operationKind(imported).unit))).toBe("1 059 items");
    expect(outcomeText(state("Faulted", {}, { Message: "No room.", Error: "all of it" }))).toBe("No room.");
    expect(outcomeText(state("Faulted", {}, { Error: "all of it" }))).toBe("all of it");
    expect(["InProgress", "Completed", "Canceled", "Faulted"].map((one) => operationTone(one).tone)).toEqual([
      "info",
      "good",
      "none",
      "bad",
    ]);
  });
});

describe("the treemap", () => {
  test("areas are the shares, nothing overlaps, and all of it is filled", () => {
    const random = new Random(SEED);
    for (let turn = 0; turn < 200 * FUZZ; turn++) {
      const items = Array.from({ length: 1 + random.below(60) }, (_, at) => ({
        key: `k${at}`,
        size: random.below(4) === 0 ? 0 : 1 + random.below(10 ** (1 + random.below(6))),
      }));
      const [width, height] = [50 + random.below(1200), 50 + random.below(500)];
      const places = treemap(items, width, height);
      const total = items.reduce((sum, one) => sum + one.size, 0);
      const why = `seed ${SEED}, turn ${turn}`;
      expect(places.length, why).toBe(items.filter((one) => one.size > 0).length);
      for (const place of places) {
        const size = items.find((one) => one.key === place.key)?.size ?? 0;
        const share = (place.width * place.height) / (width * height);
        expect(Math.abs(share - size / total), why).toBeLessThan(1e-9);
        expect(place.x >= -1e-6 && place.y >= -1e-6, why).toBe(true);
        expect(place.x + place.width <= width + 1e-6 && place.y + place.height <= height + 1e-6, why).toBe(true);
      }
      for (const [at, a] of places.entries()) {
        for (const b of places.slice(at + 1)) {
          const across = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
          const down = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
          expect(across > 1e-6 && down > 1e-6, `${why}: ${a.key} and ${b.key} overlap`).toBe(false);
        }
      }
    }
  });

  test("like sizes become near squares, and no size no place", () => {
    const places = treemap(
      Array.from({ length: 12 }, (_, at) => ({ key: `${at}`, size: 1 })),
      400,
      300,
    );
    expect(Math.max(...places.map((one) => Math.max(one.width / one.height, one.height / one.width)))).toBeLessThan(
      1.5,
    );
    expect(treemap([{ key: "a", size: 0 }], 10, 10)).toEqual([]);
    expect(treemap([{ key: "a", size: 1 }], 0, 10)).toEqual([]);
  });

  test("structures belong to a part of the database", () => {
    const one = (Name: string, SizeInBytes: number) => ({
      Name,
      Part: 0,
      Kind: "Tree",
      Entries: 1,
      Depth: 1,
      LeafPages: 1,
      BranchPages: 0,
      OverflowPages: 0,
      SizeInBytes,
    });
    expect(["Collection.12.Documents", "Attachments.ByKey", "Docs"].map(structureGroup)).toEqual([
      "Collection.12",
      "Attachments",
      "Docs",
    ]);
    const groups = structureGroups([
      one("Attachments.ByKey", 1),
      one("Collection.1.Documents", 5),
      one("Collection.1.Tombstones", 7),
      one("Collection.10.Documents", 6),
    ]);
    expect(groups.map((group) => [group.name, group.size, group.structures[0]?.SizeInBytes])).toEqual([
      ["Collection.1", 12, 7],
      ["Collection.10", 6, 6],
      ["Attachments", 1, 1],
    ]);
    expect([...groupColors(groups).values()]).toEqual([0, 1, 2]);
  });
});

describe("settings", () => {
  const setting = (name: string, usual: string, server: string | null | undefined, own?: string | null) => ({
    Metadata: { Keys: [name], Scope: "", Description: "", DefaultValue: usual, IsSecured: (own ?? server) === null },
    ServerValues: server === undefined ? {} : { [name]: { Value: server, HasValue: true, HasAccess: server !== null } },
    DatabaseValues: own === undefined ? {} : { [name]: { Value: own, HasValue: true, HasAccess: own !== null } },
  });
  const report: SettingsReport = {
    Settings: [
      setting("Indexing.ThreadsMax", "0", "0"),
      setting("Backup.LocalRootPath", "", "/b"),
      setting("ETL.Password", "", undefined, null),
      setting("Indexing.MapBatchSize", "", undefined, "128"),
    ],
  };

  test("each says where it is from; a secret is asterisks", () => {
    expect(settingRows(report).map((row) => [row.name, row.value, row.source, row.isOfDatabase])).toEqual([
      ["ETL.Password", MASK, "database", true],
      ["Indexing.MapBatchSize", "128", "database", true],
      ["Backup.LocalRootPath", "/b", "server", false],
      ["Indexing.ThreadsMax", "0", "default", false],
    ]);
    expect(databaseSettings(report)).toEqual({ "ETL.Password": MASK, "Indexing.MapBatchSize": "128" });
  });

  test("a change keeps the others, and secrets by their asterisks", () => {
    const now = databaseSettings(report);
    expect(withSetting(now, "A", "1")).toEqual({ "ETL.Password": MASK, "Indexing.MapBatchSize": "128", A: "1" });
    expect(withSetting(now, "Indexing.MapBatchSize", undefined)).toEqual({ "ETL.Password": MASK });
    expect(areSame(now, { ...now })).toBe(true);
    expect(areSame(now, withSetting(now, "A", ""))).toBe(false);
    expect(areSame(now, withSetting(now, "Indexing.MapBatchSize", "64"))).toBe(false);
  });

  test("filters", () => {
    const names = (show: string, text = "") =>
      settingRows(report)
        .filter((row) => isOfSettingsFilter(row, show, text))
        .map((row) => row.name);
    expect(names("set")).toEqual(["ETL.Password", "Indexing.MapBatchSize", "Backup.LocalRootPath"]);
    expect(names("database")).toHaveLength(2);
    expect(names("all", "THREADS")).toEqual(["Indexing.ThreadsMax"]);
  });
});
