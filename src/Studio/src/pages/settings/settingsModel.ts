interface SettingValue {
  readonly Value: string | null;
  readonly HasValue: boolean;
  readonly HasAccess: boolean;
}

/** GET admin/configuration/settings */
export interface SettingsReport {
  readonly Settings: readonly {
    readonly Metadata: {
      readonly Keys: readonly string[];
      readonly Scope: string;
      readonly Description: string | null;
      readonly DefaultValue: string | null;
      readonly IsSecured: boolean;
    };
    readonly ServerValues: Readonly<Record<string, SettingValue>>;
    readonly DatabaseValues: Readonly<Record<string, SettingValue>>;
  }[];
}

/** What stands for a secret that the server has and shows to nobody. Sent back, it keeps the secret. */
export const MASK = "*****";

/** Where the value of a setting is from. */
export type Source = "database" | "server" | "default";

/** A setting, and where its value is from. */
export interface SettingRow {
  readonly name: string;
  readonly value: string;
  readonly source: Source;
  readonly usual: string;
  readonly description: string;
  /** Whether it is a secret: its value is asterisks. */
  readonly isSecret: boolean;
  /** Whether the database may have a value of its own. */
  readonly isOfDatabase: boolean;
}

/** Settings that a database may have, with what they do: the server lists only those that are set. */
export const DATABASE_SETTINGS: readonly (readonly [string, string])[] = [
  ["Indexing.MapBatchSize", "How many documents a batch of an index has at most."],
  ["Indexing.IndexMissingFieldsAsNull", "Whether a field that a document lacks is indexed as null."],
  ["Indexing.Analyzers.Default", "The analyzer of fields that name none."],
  ["Indexing.Analyzers.FullText.Search.Default", "The analyzer of fields for full-text search."],
  ["Indexing.Disable", "Whether indexes follow the documents no more."],
];

/** The settings of a report by name: those of the database first. */
export function settingRows(report: SettingsReport): readonly SettingRow[] {
  const known = new Map(DATABASE_SETTINGS);
  const rows = report.Settings.map((one): SettingRow => {
    const name = one.Metadata.Keys[0] ?? "";
    const own = one.DatabaseValues[name];
    const server = one.ServerValues[name];
    const usual = one.Metadata.DefaultValue ?? "";
    const found = own ?? server;
    const value = found?.HasAccess === false || found?.Value === null ? MASK : (found?.Value ?? "");
    return {
      name,
      value,
      source: own ? "database" : value === usual ? "default" : "server",
      usual,
      description: one.Metadata.Description || (known.get(name) ?? ""),
      isSecret: one.Metadata.IsSecured,
      isOfDatabase: own !== undefined,
    };
  });
  return rows.sort(
    (a, b) => Number(b.isOfDatabase) - Number(a.isOfDatabase) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  );
}

/** The settings of a database as they are sent: secrets as asterisks, which keep them. */
export function databaseSettings(report: SettingsReport): Readonly<Record<string, string>> {
  return Object.fromEntries(
    settingRows(report)
      .filter((row) => row.isOfDatabase)
      .map((row) => [row.name, row.value]),
  );
}

/** The settings with a change: undefined takes one out. */
export function withSetting(
  settings: Readonly<Record<string, string>>,
  name: string,
  value: string | undefined,
): Record<string, string> {
  const next = { ...settings };
  if (value === undefined) {
    delete next[name];
  } else {
    next[name] = value;
  }
  return next;
}

/** Whether the settings of a database are the same, by name and value. */
export function areSame(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

/** Whether a setting is of a filter. */
export function isOfSettingsFilter(row: SettingRow, show: string, text: string): boolean {
  const wanted = text.toLowerCase();
  const isNamed = row.name.toLowerCase().includes(wanted) || row.description.toLowerCase().includes(wanted);
  return isNamed && (show === "all" || (show === "set" ? row.source !== "default" : row.source === show));
}
