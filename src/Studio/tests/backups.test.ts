import { describe, expect, test } from "vitest";
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
  collectionOfFile,
  csvRows,
  dumpOptions,
  guessDelimiter,
  isCsvName,
  messagesOf,
  sectionsOf,
  WHOLE_DUMP,
} from "../src/pages/io/ioModel";
import { base64Of, safeFileName } from "../src/ui/saveFile";
import { FUZZ, Random, SEED } from "./random";

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
    expect([guessDelimiter('id,"a;b;""c;d"'), guessDelimiter('"a,b,c";d')]).toEqual([",", ";"]);
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
