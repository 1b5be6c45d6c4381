import { describe, expect, test } from "vitest";
import { plainFields } from "../src/api/documents";
import {
  type BackupTask,
  configurationOf,
  draftOf,
  draftRefusal,
  nextText,
  type RestorePoint,
  restoreBody,
  restoreRefusal,
  retentionDays,
  taskState,
} from "../src/pages/backups/backupModel";
import {
  type ApiKey,
  type Certificate,
  clearanceRefusal,
  endOf,
  identityState,
  manageRefusal,
  matrixDatabases,
  matrixRows,
  readList,
  readRightRows,
  rightIn,
  type WhoAmI,
} from "../src/pages/certificates/certificateModel";
import { definitionText, replacedName, replacementName } from "../src/pages/indexes/definitionText";
import {
  collectionOfFile,
  csvRows,
  dumpOptions,
  guessDelimiter,
  isCsvName,
  messagesOf,
  sectionsOf,
  WHOLE_DUMP,
} from "../src/pages/io/ioModel";
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
import {
  isOfSubscriptionFilter,
  lagText,
  readTried,
  type Subscription,
  startVector,
  subscriptionState,
} from "../src/pages/subscriptions/subscriptionModel";
import { base64Of, safeFileName } from "../src/ui/saveFile";
import { FUZZ, Random, SEED } from "./random";

const plain = (text: string) => text.replaceAll("\u2009", " ");
const NOW = Date.parse("2026-11-28T00:00:00Z");

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

describe("who may what", () => {
  const certificate = (Name: string, more: Partial<Certificate> = {}): Certificate => ({
    Name,
    Thumbprint: `${Name}-thumb`,
    SecurityClearance: "ValidUser",
    Permissions: {},
    NotBefore: null,
    NotAfter: "2027-01-01T00:00:00Z",
    CollectionPrimaryKey: "",
    CollectionSecondaryKeys: [],
    CreatedAt: null,
    CreatedBy: null,
    LastSeenAt: null,
    ...more,
  });
  const key = (Name: string, more: Partial<ApiKey> = {}): ApiKey => ({
    Id: `${Name}-id`,
    Name,
    SecurityClearance: "ValidUser",
    Permissions: {},
    Scopes: null,
    AllowedAddresses: null,
    CreatedAt: null,
    CreatedBy: null,
    ExpiresAt: null,
    LastUsedAt: null,
    Disabled: false,
    ...more,
  });
  const who = (Kind: string, SecurityClearance: string): WhoAmI => ({
    Name: "me",
    Kind,
    SecurityClearance,
    Permissions: {},
    NotAfter: null,
  });

  test("the matrix has everybody by name, each database once, and says who counts no more", () => {
    const rows = matrixRows(
      [certificate("zoe", { Permissions: { Shop: "Read" } }), certificate("ann", { NotAfter: "2026-01-01T00:00:00Z" })],
      [key("mid", { Permissions: { shop: "Admin", art: "ReadWrite" } }), key("off", { Disabled: true })],
      NOW,
    );
    expect(rows.map((row) => [row.name, row.kind, row.counts])).toEqual([
      ["ann", "certificate", false],
      ["mid", "API key", true],
      ["off", "API key", false],
      ["zoe", "certificate", true],
    ]);
    expect(matrixDatabases(rows)).toHaveLength(2);
    expect(rows.map((row) => rightIn(row.clearance, row.permissions, "SHOP"))).toEqual([
      undefined,
      "Admin",
      undefined,
      "Read",
    ]);
    expect(rightIn("Operator", {}, "anything")).toBe("Admin");
    expect(rightIn("ValidUser", {}, "constructor")).toBeUndefined();
  });

  test("until when somebody counts", () => {
    const word = (at: string | null, isDisabled = false) => {
      const state = identityState(at, isDisabled, NOW);
      return `${state.tone} ${state.word}`;
    };
    expect(word(null)).toBe("good does not end");
    expect(word("2026-11-28T00:00:00Z")).toBe("bad ended");
    expect(word("2026-11-28T12:00:00Z")).toBe("stale ends today");
    expect(word("2026-11-29T12:00:00Z")).toBe("stale ends in 1 day");
    expect(word("2026-12-27T00:00:00Z")).toBe("stale ends in 29 days");
    expect(word("2026-12-28T00:00:00Z")).toBe("good counts, 30 days");
    expect(word(null, true)).toContain("disabled");
  });

  test("a key manages nobody, and only a cluster administrator another one", () => {
    expect(manageRefusal(who("Unsecured", "UnauthenticatedClients"))).toBeUndefined();
    expect(manageRefusal(who("ApiKey", "Operator"))).toContain("client certificate");
    expect(manageRefusal(who("Certificate", "ValidUser"))).toContain("Operator");
    expect(manageRefusal(who("Certificate", "Operator"))).toBeUndefined();
    expect(clearanceRefusal(who("Certificate", "Operator"), "ClusterAdmin")).toContain("ClusterAdmin");
    expect(clearanceRefusal(who("Certificate", "Operator"), "Operator")).toBeUndefined();
    expect(clearanceRefusal(who("Certificate", "ClusterAdmin"), "ClusterAdmin")).toBeUndefined();
  });

  test("rows of rights are read strictly: a name twice in any case is told", () => {
    expect(
      readRightRows([
        { database: " shop ", right: "Read" },
        { database: "", right: "Admin" },
      ]).permissions,
    ).toEqual({ shop: "Read" });
    expect(
      readRightRows([
        { database: "shop", right: "Read" },
        { database: "SHOP", right: "Admin" },
      ]).wrong,
    ).toBe("SHOP is there twice.");
    const odd = readRightRows([{ database: "__proto__", right: "Read" }]).permissions;
    expect(JSON.stringify(odd)).toBe('{"__proto__":"Read"}');
  });

  test("when somebody ends", () => {
    expect(endOf("30", "", NOW).at).toBe("2026-12-28T00:00:00.000Z");
    expect(endOf("never", "", NOW)).toEqual({ at: null });
    expect(endOf("day", "2030-01-31", NOW).at).toBe("2030-01-31T00:00:00.000Z");
    expect(endOf("day", "31.1.2030", NOW).wrong).toBeDefined();
    expect(endOf("day", "2030-02-31x", NOW).wrong).toBeDefined();
    expect(endOf("day", "2026-11-28", NOW).wrong).toBe("This day is over.");
    expect(readList(" 10.0.0.0/8, ::1\n2001:db8::/32;")).toEqual(["10.0.0.0/8", "::1", "2001:db8::/32"]);
  });
});

describe("subscriptions", () => {
  const one = (more: Partial<Subscription> = {}): Subscription => ({
    SubscriptionId: 1,
    SubscriptionName: "Mail",
    Query: "from Orders",
    ChangeVectorForNextBatchStartingPoint: null,
    LastBatchAckTime: null,
    LastClientConnectionTime: null,
    Disabled: false,
    ArchivedDataProcessingBehavior: "ExcludeArchived",
    Lag: 0,
    OwedDocuments: 0,
    AsideDocuments: 0,
    DocumentsSent: 0,
    BatchesAcknowledged: 0,
    Failures: 0,
    LastError: null,
    Workers: [],
    ...more,
  });
  const worker = { WorkerId: "w", Strategy: "OpenIfFree", Address: null, ConnectedAt: "" };

  test("its state says the worst first", () => {
    const word = (more: Partial<Subscription>) => subscriptionState(one(more)).word;
    expect(word({ Disabled: true, AsideDocuments: 3 })).toBe("disabled");
    expect(word({ AsideDocuments: 3, Workers: [worker] })).toBe("3 documents set aside");
    expect(word({ Lag: 5 })).toBe("no worker");
    expect(word({ OwedDocuments: 5 })).toBe("no worker");
    expect(word({})).toBe("no worker, nothing to send");
    expect(word({ Lag: 5, Workers: [worker] })).toBe("sending");
    expect(word({ Workers: [worker] })).toBe("waiting for changes");
  });

  test("filters and the words of its lag", () => {
    expect(isOfSubscriptionFilter(one({ Lag: 1 }), "waiting", "mAi")).toBe(true);
    expect(isOfSubscriptionFilter(one({ Lag: 1, Workers: [worker] }), "waiting", "")).toBe(false);
    expect(isOfSubscriptionFilter(one({ AsideDocuments: 1 }), "aside", "other")).toBe(false);
    expect(plain(lagText(one({ Lag: 1200, OwedDocuments: 3 })))).toBe("1 200, 3 on their way");
  });

  test("where it begins", () => {
    expect(startVector("keep", "")).toEqual({});
    expect(startVector("LastDocument", "")).toEqual({ vector: "LastDocument" });
    expect(startVector("vector", " A:116-elUJUqDrFZBGGYAK1U0zGg ").vector).toBe("A:116-elUJUqDrFZBGGYAK1U0zGg");
    expect(startVector("vector", "116").wrong).toBeDefined();
  });

  test("what would be sent keeps its digits, and a document at which the script throws says so", () => {
    const answer =
      '{"Results":[{"F":1.10,"N":90071992547409931,"@metadata":{"@id":"orders/1","@collection":"Orders"}},' +
      '{"Id":"orders/2","Exception":"x is not defined"}],"Includes":{}}';
    const [sent, thrown] = readTried(answer);
    expect(sent?.id).toBe("orders/1");
    expect(sent?.text).toContain("1.10");
    expect(sent?.text).toContain("90071992547409931");
    expect(sent?.error).toBeUndefined();
    expect(thrown).toMatchObject({ id: "orders/2", error: "x is not defined" });
  });

  test("a document of one's own with a member Exception is no failure", () => {
    const answer = '{"Results":[{"Exception":"mine","@metadata":{"@id":"logs/1"}}]}';
    expect(readTried(answer)[0]?.error).toBeUndefined();
  });
});

describe("backups", () => {
  const task = (more: Partial<BackupTask> = {}): BackupTask => ({
    TaskId: 1,
    TaskType: "Backup",
    TaskName: "nightly",
    TaskState: "Enabled",
    BackupType: "Backup",
    BackupDestinations: ["Local"],
    LastFullBackup: "2026-11-27T01:00:00Z",
    LastIncrementalBackup: null,
    IsEncrypted: false,
    OnGoingBackup: null,
    NextBackup: { DateTime: "2026-11-29T01:00:00.0000000Z", IsFull: true },
    Error: null,
    ...more,
  });

  test("how a task is, and when it runs next", () => {
    expect(taskState(task()).word).toBe("well");
    expect(taskState(task({ Error: "No room." })).tone).toBe("bad");
    expect(taskState(task({ LastFullBackup: null })).word).toBe("no backup yet");
    expect(taskState(task({ TaskState: "Disabled" })).word).toBe("disabled");
    expect(nextText(task())).toBe("2026-11-29 01:00, full");
    expect(nextText(task({ TaskState: "Disabled" }))).toBe("not by itself");
    expect(nextText(task({ NextBackup: null }))).toBe("–");
  });

  test("a configuration that is shown and stored again is the same, also what the form does not show", () => {
    const before = {
      TaskId: 7,
      Name: "nightly",
      FullBackupFrequency: "0 1 * * 0",
      IncrementalBackupFrequency: null,
      LocalSettings: { FolderPath: "/b", Odd: 1 },
      RetentionPolicy: { MinimumBackupAgeToKeep: "30.00:00:00" },
      BackupEncryptionSettings: { EncryptionMode: "UseProvidedKey", Key: "*****" },
      MaxReadOpsPerSecond: 500,
    };
    expect(configurationOf(draftOf(before), before)).toMatchObject({ ...before, ArchiveJournal: false });
  });

  test("a folder that is taken out leaves a bucket alone", () => {
    const draft = {
      ...draftOf({ LocalSettings: { FolderPath: "/b" } }),
      folder: "",
      hasS3: true,
      s3: { BucketName: "b" },
    };
    const made = configurationOf(draft, { LocalSettings: { FolderPath: "/b" } });
    expect(made.LocalSettings).toBeUndefined();
    expect(made.S3Settings).toMatchObject({ BucketName: "b", Disabled: false });
  });

  test("what is missing is told", () => {
    const draft = draftOf(undefined);
    expect(draftRefusal(draft)).toContain("folder");
    expect(draftRefusal({ ...draft, folder: "/b" })).toBeUndefined();
    expect(draftRefusal({ ...draft, folder: "/b", full: "", incremental: " " })).toContain("when");
    expect(draftRefusal({ ...draft, folder: "/b", keepDays: "soon" })).toContain("days");
    expect(draftRefusal({ ...draft, folder: "/b", keepDays: "1.12:00:00" })).toBeUndefined();
    expect([retentionDays("30.00:00:00"), retentionDays("12:00:00")]).toEqual(["30", "12:00:00"]);
  });

  test("a restore names a file or a time, and asks for a key", () => {
    const point: RestorePoint = {
      DateTime: "2026-11-27T01:00:00Z",
      Location: "/b/x.ravendb-shop-A-backup",
      FileName: "x.ravendb-full-backup",
      IsEncrypted: false,
      IsIncremental: false,
      FilesToRestore: 1,
      DatabaseName: "shop",
      SizeInBytes: 1,
    };
    const choice = { name: " copy ", key: "", to: "", disablesTasks: true, skipsIndexes: false };
    expect(restoreBody(point, choice, undefined)).toEqual({
      DatabaseName: "copy",
      BackupLocation: point.Location,
      LastFileNameToRestore: point.FileName,
      DisableOngoingTasks: true,
      SkipIndexes: false,
    });
    const inTime = restoreBody(point, { ...choice, to: "2026-11-27T02:00:00Z" }, { BucketName: "b" });
    expect(inTime).toMatchObject({ Type: "S3", RestoreTo: "2026-11-27T02:00:00Z" });
    expect(inTime).not.toHaveProperty("LastFileNameToRestore");
    expect(restoreRefusal({ ...point, IsEncrypted: true }, choice)).toContain("key");
    expect(restoreRefusal(point, { ...choice, to: "yesterday" })).toContain("time");
    expect(restoreRefusal(point, choice)).toBeUndefined();
  });
});

describe("import and export", () => {
  test("the options name what is taken", () => {
    const options = dumpOptions({
      ...WHOLE_DUMP,
      types: new Set(["Documents"]),
      collections: "A, B\n\nC,",
      script: " ",
    });
    expect(options).toEqual({
      OperateOnTypes: "Documents",
      Collections: ["A", "B", "C"],
      IncludeExpired: true,
      IncludeArchived: true,
    });
  });

  test("a file is known by its name", () => {
    expect(["a.csv", "a.TSV.gz", "a.ravendbdump", "csv"].map(isCsvName)).toEqual([true, true, false, false]);
    expect(["orders.csv", "big.Orders.csv.gz", ".csv"].map(collectionOfFile)).toEqual(["Orders", "Big.Orders", ""]);
    expect([guessDelimiter("a;b;c,d"), guessDelimiter("a\tb"), guessDelimiter("one")]).toEqual([";", "\t", ","]);
  });

  test("rows of CSV: quotes, ends of lines in cells, and no row that is cut", () => {
    const text = '\uFEFFid,"a ""b"""\r\n1,"x\ny"\r\n2,cut';
    expect(csvRows(text, ",", '"', 9, false)).toEqual([
      ["id", 'a "b"'],
      ["1", "x\ny"],
    ]);
    expect(csvRows(text, ",", '"', 9, true)[2]).toEqual(["2", "cut"]);
    expect(csvRows("a\nb\nc\n", ",", '"', 2, true)).toEqual([["a"], ["b"]]);
    expect(csvRows("", ",", '"', 2, true)).toEqual([]);
  });

  test("rows that are written are read back the same, whatever is in them", () => {
    const random = new Random(SEED);
    for (let turn = 0; turn < 500 * FUZZ; turn++) {
      const cells = () =>
        Array.from({ length: 3 }, () =>
          Array.from({ length: random.below(6) }, () => random.of([...'a",\n;é '])).join(""),
        );
      const rows = Array.from({ length: 1 + random.below(4) }, cells);
      const text = rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")).join("\n");
      expect(csvRows(`${text}\n`, ",", '"', 99, true), `seed ${SEED}, turn ${turn}`).toEqual(rows);
    }
  });

  test("counts of what had something, and what was said", () => {
    const counts = (ReadCount: number, ErroredCount = 0, SkippedCount = 0) => ({
      Processed: true,
      ReadCount,
      ErroredCount,
      SkippedCount,
      SizeInBytes: 9,
    });
    const result = {
      Processed: 5,
      Documents: { ...counts(5, 1), Attachments: counts(2) },
      Indexes: counts(0, 0, 7),
      Identities: counts(0),
      Skipped: { Conflicts: 2 },
      Messages: ["orders/1: it is wrong"],
    };
    expect(sectionsOf(result).map((one) => [one.name, one.read, one.failed, one.skipped])).toEqual([
      ["Documents", 5, 1, 0],
      ["Documents: attachments", 2, 0, 0],
      ["Indexes", 0, 0, 7],
    ]);
    expect(messagesOf(result)).toEqual([
      "orders/1: it is wrong",
      "Conflicts: 2 passed over, as this server has no such feature",
    ]);
    expect([sectionsOf(null), messagesOf(null)]).toEqual([[], []]);
  });

  test("names of files and base64", async () => {
    expect(safeFileName("../a b:c.zip")).toBe("..-a-b-c.zip");
    expect(await base64Of(new Blob([new Uint8Array([0, 255, 16])]))).toBe("AP8Q");
    expect((await base64Of(new Blob(["x".repeat(100_000)]))).length).toBe(Math.ceil(100_000 / 3) * 4);
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

describe("the text of a definition", () => {
  test("has maps, reduce and fields, whatever the ends of lines", () => {
    const text = definitionText({ Maps: ["a \r\nb", "c"], Reduce: "r", Fields: { F: { Storage: "Yes" } } });
    expect(text).toBe('// Map 1\na\nb\n\n// Map 2\nc\n\n// Reduce\nr\n\n// Fields\nF: {"Storage":"Yes"}\n');
    expect(definitionText({ Maps: ["a\nb"], Reduce: null })).toBe(definitionText({ Maps: ["a\r\nb  \n"], Reduce: "" }));
  });

  test("what replaces an index has a name of its own", () => {
    expect(replacementName("Orders/Totals")).toBe("ReplacementOf/Orders/Totals");
    expect(replacedName("ReplacementOf/Orders/Totals")).toBe("Orders/Totals");
    expect(replacedName("Orders/ReplacementOf/x")).toBeUndefined();
  });
});

test("fields of a page of documents are named only where they are plain words", () => {
  expect(plainFields(["Company", "Größe_2"])).toEqual(["Company", "Größe_2"]);
  expect([[], ["a.b"], ["a", "1"], Array.from({ length: 51 }, () => "a")].map(plainFields)).toEqual(
    Array(4).fill(undefined),
  );
});
